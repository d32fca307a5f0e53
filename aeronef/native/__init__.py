"""Games whose steps are made in C: built, kept and loaded, and then like all others."""
