"""The shipped specs, as package data."""
