"""Emitters: the IR printed as Python, C, diagrams and rulebooks."""
