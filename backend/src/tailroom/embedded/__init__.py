"""The optional extra `tailroom[embedded]`: PostgreSQL and Valkey from wheels, and the processes of `make up`.

Every process ends with the process that started it. It is for one machine without containers and system
packages; not needed if the settings name a database and a Valkey.
"""
