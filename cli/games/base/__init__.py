"""How any game is shown and played at a table, from its typed view and its own labels alone."""
