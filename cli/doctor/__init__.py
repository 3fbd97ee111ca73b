"""What `fairdeal doctor` finds out, one module a subject; cli.commands.doctor runs and prints it."""
