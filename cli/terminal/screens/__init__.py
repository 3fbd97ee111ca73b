"""From the lobby to a table and back: the session around the presenters. Everything heavy is imported when it is needed, in
another thread, so that the screen is there first and never stands still."""

from cli.terminal.screens.entry import run_join, run_lobby, run_replay, run_table, run_watch

__all__ = ["run_join", "run_lobby", "run_replay", "run_table", "run_watch"]
