"""Settings of the C library's memory allocator, and of garbage collection.

By default each thread gets an arena whose free memory other threads cannot use, and arrays of more than 128
KiB are returned to the system as soon as they are free, which must then clear new pages for the next array.
"""

import ctypes
import gc
from collections.abc import Iterator
from contextlib import contextmanager

_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -3, -8  # malloc.h of glibc; other C libraries lack them
_MIB = 1 << 20


def retain_freed_memory(arrays_mib: int) -> None:
    """Let the allocator retain up to `arrays_mib` MiB of freed memory; call it before threads exist.

    An array of more than a quarter of that, or of more than 32 MiB, is still returned to the system when
    freed. No effect if the C library has no `mallopt`.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is None:
        return
    mallopt(_ARENA_MAX, 2)
    mallopt(_MMAP_THRESHOLD, min(arrays_mib // 4, 32) * _MIB)
    mallopt(_TRIM_THRESHOLD, arrays_mib * _MIB)


@contextmanager
def gc_paused() -> Iterator[None]:
    """Disable garbage collection during imports; then exclude all present objects from it for good."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
