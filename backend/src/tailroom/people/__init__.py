"""People: how they sign up and in, what they see of their account, and who belongs to an organisation."""
