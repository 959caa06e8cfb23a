"""Decides how this process asks the system for memory.

By default the C library gives each thread that meets another one at the allocator an arena of its own, whose
free memory nobody else has; and it begins by giving arrays of more than 128 KiB back as soon as they are
free, so that the next one has pages that the system has to clear first.
"""

import ctypes

_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -3, -8  # malloc.h of glibc; others know none of it
_MIB = 1 << 20


def keep_freed(arrays_mib: int, *, arenas: int = 2) -> None:
    """Free memory up to `arrays_mib` at the end of an arena, and arrays up to a quarter of that, stay with
    the process. For before there are threads.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is None:
        return
    mallopt(_ARENA_MAX, arenas)
    mallopt(_MMAP_THRESHOLD, min(arrays_mib // 4, 32) * _MIB)
    mallopt(_TRIM_THRESHOLD, arrays_mib * _MIB)
