"""What a compiled variant needs to run, and what works on any compiled variant."""
