"""The full-screen client: presenters turn a table into views, `render` turns views into a canvas, the app shows canvases."""
