"""The face in a browser: the local client through a page. The page draws views and hands back what was tapped, nothing more."""
