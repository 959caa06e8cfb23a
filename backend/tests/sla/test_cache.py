"""What is kept of runs: good while the state is the same, and never more than the limit."""

from concurrent.futures import ThreadPoolExecutor

from tailroom.records.cache import RecordCache


def test_a_value_is_loaded_once_for_each_state() -> None:
    cache: RecordCache[int] = RecordCache()
    loads: list[int] = []

    def load() -> tuple[int, int]:
        loads.append(len(loads))
        return loads[-1], 10

    assert [cache.get("a", 1, load), cache.get("a", 1, load)] == [0, 0]
    assert cache.get("a", 2, load) == 1
    assert cache.get("a", 2, load) == 1
    assert cache.get("b", 2, load) == 2


def test_the_oldest_go_first_and_one_always_stays() -> None:
    cache: RecordCache[str] = RecordCache(limit_bytes=100)
    for key in "abc":
        cache.get(key, 0, lambda key=key: (key, 40))  # type: ignore[misc]
    assert cache.get("b", 0, lambda: ("new", 40)) == "b"
    assert cache.get("a", 0, lambda: ("new", 40)) == "new"
    assert cache.get("c", 0, lambda: ("new", 40)) == "new"
    cache.get("large", 0, lambda: ("large", 1_000))
    assert cache.get("large", 0, lambda: ("new", 1)) == "large"


def test_threads_may_share_it() -> None:
    cache: RecordCache[int] = RecordCache(limit_bytes=50)

    def ask(number: int) -> int:
        return cache.get(number % 7, 0, lambda: (number % 7, 10))

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(ask, range(500))) == [number % 7 for number in range(500)]
    reloaded = [number for number in range(7) if cache.get(number, 0, lambda: (-1, 10)) == -1]
    assert len(reloaded) >= 2, "five of seven entries fit"
