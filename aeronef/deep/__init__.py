"""What `aeronef check --deep` looks for."""
