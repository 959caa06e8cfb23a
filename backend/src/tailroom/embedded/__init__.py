"""Embedded services: PostgreSQL and Valkey from wheels, bound to the life of the process that started them.

For one machine without containers and without a system package. Nothing here is needed where the settings
name a database and a Valkey of their own.
"""
