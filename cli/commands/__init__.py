"""The commands, a file each: `run(request, context)` returns the exit status. Nothing is imported before it is asked for."""
