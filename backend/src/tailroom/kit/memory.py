"""Settings of the C library's memory allocator.

By default each thread that meets another at the allocator gets an arena whose free memory other threads
cannot use. Arrays of more than 128 KiB are returned to the system as soon as they are free, so that the
system has to clear new pages for the next one.
"""

import ctypes

_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -3, -8  # malloc.h of glibc; others know none of it
_MIB = 1 << 20


def keep_freed(arrays_mib: int, *, arenas: int = 2) -> None:
    """Set the allocator to reuse freed memory instead of returning it to the system.

    Up to `arrays_mib` MiB stay in the process, and single arrays up to a quarter of that, 32 MiB at most.
    Call it before threads exist.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is None:
        return
    mallopt(_ARENA_MAX, arenas)
    mallopt(_MMAP_THRESHOLD, min(arrays_mib // 4, 32) * _MIB)
    mallopt(_TRIM_THRESHOLD, arrays_mib * _MIB)
