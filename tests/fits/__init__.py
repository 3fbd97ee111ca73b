"""Programs that fit numbers of the strong bots again, to rounds that normal bots play to their end with each of two moves."""
