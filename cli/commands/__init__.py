"""The commands, one module each: `run(request, context)` returns the exit status. Modules are imported on demand."""
