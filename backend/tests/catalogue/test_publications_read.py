"""Every number of the documents is a claim or a fact, as printed, with the ends that its printing allows."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
import yaml

from tailroom.catalogue.items import read_catalogue, read_items
from tailroom.catalogue.publications.dataset import (
    ReferenceInvalid,
    read_all,
    read_publication,
    reference_files,
)
from tailroom.domain.claims.claim import Publication, PublishedClaim

PUBLICATIONS = {one.slug: one for one in read_all() if one.claims}
BLOG = PUBLICATIONS["aerospike-act-blog-2012"]
PAGE = PUBLICATIONS["aerospike-certification-2019"]
KIOXIA = PUBLICATIONS["kioxia-cd8p-ycsb-2025"]
REDIS = PUBLICATIONS["redis-pm1725"]
DEMARTEK = PUBLICATIONS["demartek-fraud-r730xd-2015"]
NS_PER_MS = 1_000_000


def claim(publication: Publication, key: str) -> PublishedClaim:
    return next(one for one in publication.claims if one.key == key)


def rows(publication: Publication) -> dict[str, int]:
    return {table.id: len(table.rows) for table in publication.tables}


def test_there_are_as_many_rows_and_numbers_as_in_the_documents() -> None:
    assert set(PUBLICATIONS) == {BLOG.slug, PAGE.slug, KIOXIA.slug, REDIS.slug, DEMARTEK.slug}
    assert rows(BLOG) == {"t1": 4, "t2": 27, "comment": 1, "definitions": 3, "claims": 11}
    results = {"xpoint": 2, "nvme": 14, "sata": 2, "m2": 1, "net": 3, "cloud": 9}
    results |= {"hist_sata": 6, "hist_nvme": 6, "hist_cloud": 10}
    assert rows(PAGE) == results | {"criteria": 3, "notes": 1}
    assert sum(results.values()) == 53
    assert {name: n for name, n in rows(KIOXIA).items() if name.startswith("test")} == {
        "test1": 5,
        "test2": 5,
        "test3": 6,
        "test4": 6,
        "test5": 3,
        "test6": 6,
        "test7": 6,
    }
    assert rows(KIOXIA)["snapshot"] + rows(KIOXIA)["summary"] == 9
    assert rows(REDIS) == {"results": 2, "claims": 6}
    assert rows(DEMARTEK) == {"phases": 6, "params": 10, "claims": 14, "method": 2}
    counts = {slug: len(one.claims) for slug, one in PUBLICATIONS.items()}
    assert counts == {
        BLOG.slug: 223,
        PAGE.slug: 187,
        KIOXIA.slug: 128,
        REDIS.slug: 33,
        DEMARTEK.slug: 44,
    }


def test_the_tables_of_drives_hold_every_exceedance() -> None:
    of_blog = [one for one in BLOG.claims if one.table in {"t1", "t2"}]
    assert len(of_blog) == 31 * 3 * 2
    assert {one.metric_class for one in of_blog} == {"total", "device"}
    assert {one.threshold_ns for one in of_blog} == {1 * NS_PER_MS, 8 * NS_PER_MS, 64 * NS_PER_MS}
    of_page = [one for one in PAGE.claims if one.quantity == "exceedance"]
    assert len(of_page) == 53 * 3
    assert {one.metric_class for one in of_page} == {"unstated"}
    assert sum(one.quantity == "endurance" for one in PAGE.claims) == 18
    first = claim(PAGE, "nvme-r01/exceedance/1ms")
    assert first.load is not None
    assert (first.load.multiple, first.load.reads_per_s) == (275.0, 550_000.0)


def test_the_gains_have_the_numbers_that_they_compare() -> None:
    of_rows = [one for one in KIOXIA.claims if one.quantity == "gain" and one.table.startswith("test")]
    assert len(of_rows) == 37
    for gain in of_rows:
        sides = [one for one in KIOXIA.claims_of_row(gain.row) if one.config is not None]
        assert [one.config for one in sides] == ["new", "old"]
        assert gain.conditions["gain_kind"] in {"reduction", "increase"}
    throughputs = [one for one in KIOXIA.claims if one.quantity == "throughput"]
    runtimes = [one for one in KIOXIA.claims if one.quantity == "runtime"]
    assert len(throughputs) == len(runtimes) == 10
    series = {(o.workload, o.config, o.operation) for o in KIOXIA.claims if o.quantity == "latency"}
    assert len(series) == 18


def leaves(value: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    """Every number of a file: numbers of YAML, and texts that are one."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, (*path, str(key)))
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from leaves(inner, (*path, str(place)))
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield path, f"{float(value):.12g}"
    elif isinstance(value, str) and re.fullmatch(r"[\d,]*\.?\d+", value):
        yield path, f"{float(value.replace(',', '')):.12g}"


def numbers_of(one: PublishedClaim) -> Iterator[str]:
    printed = [one.printed.as_printed, f"{one.printed.value}"]
    if one.printed.value is not None:
        # In the unit of the document, of which the claim keeps the name.
        factor = {"%": 0.01, "us": 1e3, "ms": 1e6, "min": 60, "K ops/s": 1e3, "M ops/s": 1e6}
        factor |= {"KB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12, "MB/s": 1e6, "GB/s": 1e9, "Gbit/s": 1e9}
        factor |= {"GT/s": 1e9, "billion": 1e9}
        printed.append(f"{one.printed.value / factor.get(one.printed.unit_as_printed, 1)}")
    numbers: list[Any] = list(one.conditions.values())
    if one.load is not None:
        numbers += [one.load.multiple, one.load.reads_per_s, one.load.writes_per_s, one.load.operations_per_s]
        numbers.append(one.load.as_printed)
    for number in (*printed, *numbers, one.test_date_as_printed):
        plain = str(number).replace(",", "")
        if not isinstance(number, bool) and re.fullmatch(r"\d*\.?\d+(?:e[+-]?\d+)?", plain):
            yield f"{float(plain):.12g}"


def test_documents_that_state_prices_alone_make_no_claims() -> None:
    without = {one.slug for one in read_all()} - PUBLICATIONS.keys()
    assert without == {"cloudspecs-2026", "database-architects-ec2-2021", "saisci-ebs-2021"}
    sources = {f.source_slug for item in read_items() for f in item.facts if f.field == "price"}
    assert sources == without


OF_CLAIMS = [one for one in reference_files("publications") if one.name.removesuffix(".yaml") in PUBLICATIONS]


@pytest.mark.parametrize("file", OF_CLAIMS, ids=lambda one: one.name)
def test_no_number_of_a_file_is_lost(file: Any) -> None:
    document = yaml.safe_load(file.read_bytes())
    publication = PUBLICATIONS[document["slug"]]
    measured = set(publication.measurement.values()) | {publication.date_as_printed}
    looked_at = 0
    for table_no, table in enumerate(document["tables"]):
        for row_no, row in enumerate(table["rows"]):
            claims = publication.claims_of_row(row["row"])
            kept = {number for one in claims for number in numbers_of(one)}
            for path, number in leaves(row):
                if path[0] in {"label", "subject"}:
                    continue
                looked_at += 1
                assert number in kept, (table_no, row_no, path, number)
        about_rows = {number for one in publication.claims for number in numbers_of(one)}
        for path, number in leaves({k: v for k, v in table.items() if k != "rows"}):
            looked_at += 1
            assert number in about_rows or path[0] == "columns", (table_no, path, number)
    for path, number in leaves({k: v for k, v in document.items() if k not in {"tables", "conditions"}}):
        assert str(number) in {str(one) for one in measured}, path
    assert looked_at > 30


def test_no_number_of_the_catalogue_is_lost() -> None:
    kept: dict[str, set[str]] = {}
    for item in read_items():
        for fact in item.facts:
            numbers = kept.setdefault(item.named.slug, set())
            numbers.add(fact.as_printed)
            if fact.number is not None:
                numbers.add(fact.number.as_printed)
                numbers |= {f"{value:.12g}" for value in fact.conditions.values() if type(value) is int}
                numbers.add(f"{float(fact.number.as_printed.replace(',', '')):.12g}")
            if fact.capacity_bytes is not None:
                numbers.add(f"{float(fact.capacity_bytes):.12g}")
    seen = 0
    for file in reference_files("items"):
        for item in yaml.safe_load(file.read_bytes())["items"]:
            for path, number in leaves(item.get("facts", [])):
                seen += 1
                assert number in kept[item["slug"]] or path[-1] == "text", (item["slug"], path, number)
    assert seen > 150


def test_a_number_stands_for_all_that_are_printed_like_it() -> None:
    slow = claim(BLOG, "t2-r14/exceedance/1ms/total").printed
    assert (slow.as_printed, slow.unit_as_printed, slow.unit) == ("5.38", "%", "ratio")
    assert (slow.lower, slow.value, slow.upper) == pytest.approx((0.05375, 0.0538, 0.05385))
    gain = claim(KIOXIA, "test1-r1/gain").printed
    assert (gain.lower, gain.upper) == pytest.approx((0.44, 0.45))
    mean = claim(KIOXIA, "test3-r1/new").printed
    assert (mean.lower, mean.upper) == pytest.approx((70_925, 70_935))
    below = claim(REDIS, "results-1/below-1ms").printed
    assert (below.lower, below.upper) == pytest.approx((0.99985, 0.99995))
    everything = claim(REDIS, "results-2/below-1ms").printed
    assert (everything.lower, everything.upper) == pytest.approx((0.995, 1.0))
    target = claim(DEMARTEK, "p5/reads").printed
    assert target.lower == target.upper == 3_000_000
    dot = claim(BLOG, "t2-r12/exceedance/8ms/device").printed
    assert dot.as_printed == ".04"
    assert dot.value == pytest.approx(0.0004)


def test_a_bare_zero_stands_for_what_its_row_prints_otherwise() -> None:
    # Beside 5.4, 5.2: one decimal, so that 0 is anything under 0.05 %.
    beside_one_decimal = claim(BLOG, "t1-r03/exceedance/64ms/total").printed
    assert beside_one_decimal.as_printed == "0"
    assert beside_one_decimal.upper == pytest.approx(0.0005)
    beside_two = claim(BLOG, "t2-r07/exceedance/64ms/device").printed
    assert beside_two.upper == pytest.approx(0.00005)
    with_decimals = claim(PAGE, "xpoint-r01/exceedance/64ms").printed
    assert with_decimals.as_printed == "0.00"
    assert with_decimals.upper == pytest.approx(0.00005)
    zeros = [one.printed for one in BLOG.claims if one.printed.as_printed == "0"]
    assert len(zeros) == 86
    assert max(one.upper or 0.0 for one in zeros) == pytest.approx(0.0005)


def test_comparisons_leave_an_end_open_and_approximations_both() -> None:
    under = claim(DEMARTEK, "c03/latency").printed
    assert (under.lower, under.upper, under.comparison) == (None, 20 * NS_PER_MS, "<")
    or_better = claim(DEMARTEK, "c02/share-within").printed
    assert (or_better.lower, or_better.upper) == (0.95, None)
    roughly = claim(DEMARTEK, "c06/update-rate").printed
    assert (roughly.value, roughly.lower, roughly.upper) == (250_000, None, None)
    words = claim(DEMARTEK, "c11/left").printed
    assert (words.value, words.lower, words.upper) == (None, None, None)


def changed(old: str, new: str) -> bytes:
    file = next(one for one in reference_files("publications") if one.name == "redis-pm1725.yaml")
    text = file.read_text()
    assert old in text
    return text.replace(old, new, 1).encode()


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("publisher:", "publishers:", "publishers"),
        ("'1.24'", "1.24", "Expected"),
        ("'1.24'", "'1.2.4'", "no printed decimal number"),
        ("unit: M ops/s}", "unit: Mops}", "unit 'Mops' is not known"),
        ("'0.82', '99.99']", "'0.82']", "5 cells for 6 columns"),
        ("row: results-2", "row: results-1", "share a key"),
        ("threshold: 1 ms, operation", "threshold: 1 MB, operation", "is no time"),
        ("quantity: object_size, ", "", "needs a quantity"),
    ],
)
def test_what_breaks_a_rule_is_named(old: str, new: str, says: str) -> None:
    with pytest.raises(ReferenceInvalid, match=re.escape(says)) as error:
        read_publication(changed(old, new), "redis-pm1725.yaml")
    assert "redis-pm1725.yaml" in str(error.value)


DATED = "conditions: {date: '2026-01-01'"


@pytest.mark.parametrize(
    ("rest", "says"),
    [
        (f"printed: '5', unit: GB, {DATED}}}", "currency"),
        (f"text: five, unit: USD, {DATED}}}", "a number"),
        ("printed: '5', unit: USD", "needs the date"),
        ("printed: '5', unit: USD, conditions: {date: May 2026}", "needs the date"),
        (f"printed: '5', unit: USD, {DATED}, per: day}}", "`per` one of hour"),
        (f"printed: '5', unit: USD, {DATED}, shop: y}}", "no condition 'shop'"),
    ],
)
def test_a_price_without_what_it_needs_is_refused(rest: str, says: str) -> None:
    item = f"- {{slug: a, vendor: b, name: c, facts: [{{field: price, source: x, {rest}}}]}}"
    text = f"format: tailroom-catalogue/1\nkind: drive\nitems:\n{item}\n"
    with pytest.raises(ReferenceInvalid, match=re.escape(says)):
        read_catalogue(text.encode(), "drives.yaml")
