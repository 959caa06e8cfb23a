"""Questions about SLAs: whether a record meets a budget, which configurations do, on how many nodes."""
