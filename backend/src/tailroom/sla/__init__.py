"""Questions about SLAs: does a record meet a budget, which configurations meet it, how many nodes does it
take.
"""
