"""What `check --deep` does: questions to a game, each answered in every setting that is looked at."""
