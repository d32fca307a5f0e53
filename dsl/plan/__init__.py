"""The plan of a game: what its functions do, decided once, for every language that they are printed in."""
