"""The rule language: from the YAML of a spec to the typed IR, its lints and its emitters."""
