"""From the lobby to a table and back, on any face: the session around the models. Everything heavy is imported when it is needed,
in another thread, so that the face is there first and never stands still."""
