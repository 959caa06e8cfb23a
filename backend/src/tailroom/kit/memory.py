"""Settings of the C library's memory allocator, and of garbage collection.

By default each thread gets an arena whose free memory other threads cannot use, and arrays of more than
128 KiB are returned to the system as soon as they are free, which must then clear new pages for the next one.
"""

import ctypes
import gc
from collections.abc import Iterator
from contextlib import contextmanager

_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -3, -8  # malloc.h of glibc; other C libraries lack them
_MIB = 1 << 20


def retain_freed_memory(arrays_mib: int) -> None:
    """Let the allocator keep up to `arrays_mib` MiB of freed memory for reuse; call it before threads exist.

    Single arrays are kept up to a quarter of that, and up to 32 MiB.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is None:
        return
    mallopt(_ARENA_MAX, 2)
    mallopt(_MMAP_THRESHOLD, min(arrays_mib // 4, 32) * _MIB)
    mallopt(_TRIM_THRESHOLD, arrays_mib * _MIB)


@contextmanager
def gc_paused() -> Iterator[None]:
    """Pause garbage collection during imports, a seventh of whose time it took; never scan loaded objects."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
