"""People: signing up and in, their accounts, and the members of an organisation."""
