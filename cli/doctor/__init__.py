"""The checks of `fairdeal doctor`, one module per subject; cli.commands.doctor runs and prints them."""
