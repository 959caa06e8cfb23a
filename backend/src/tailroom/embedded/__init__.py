"""The optional extra `tailroom[embedded]`: PostgreSQL and Valkey from wheels, and the processes of `make up`.

For one machine without containers and system packages. Every process ends with the process that started it.
"""
