"""The commands of the command line, one file each; `aeronef/cli.py` says what they take, and loads them on use."""
