"""A game with its players and options settled, as one C file. `module.emit_c` writes it."""
