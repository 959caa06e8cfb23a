"""The optional extra `tailroom[embedded]`: PostgreSQL and Valkey from wheels, and the processes of `make up`.

Every process is bound to the life of the one that started it. For one machine without containers and without
a system package; nothing here is needed where the settings name a database and a Valkey of their own.
"""
