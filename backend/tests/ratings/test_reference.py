"""The published tests of the package: ratings, ranks, what flips, what is bounded, what is never compared."""

from backend.tests.ratings.conftest import Ask

BLOG = {"generation": "before-2.0", "metric": "total"}


def named(body: dict, **wanted: object) -> dict:  # type: ignore[type-arg]
    """Rows by the slug of their drive."""
    return {
        row["drive"]["slug"]: row
        for row in body["rows"]
        if all(row[name] == value for name, value in wanted.items())
    }


def interval(row: dict) -> tuple[object, object]:  # type: ignore[type-arg]
    return row["rating"]["passed_load"], row["rating"]["failed_load"]


def rank(row: dict) -> tuple[int, int, int]:  # type: ignore[type-arg]
    return row["rank"]["best"], row["rank"]["worst"], row["rank"]["among"]


def test_with_over_provisioning_and_response_time(ask: Ask) -> None:
    body = ask("/leaderboard", scope="public", op="over_provisioned", **BLOG)
    rows = named(body)
    assert body["loads"] == [1, 3, 6, 12]
    assert {slug: interval(row) for slug, row in rows.items()} == {
        "intel-dc-s3700": (3, 6),
        "samsung-830": (3, 6),
        "ocz-deneva-2-slc": (3, None),
        "ocz-vertex-3-max10ps": (1, None),
        "ocz-vertex-4": (1, 3),
        "samsung-ss805": (1, 3),
        "samsung-840-pro": (None, 3),
        "seagate-600-pro": (None, 3),
        "intel-320": (None, 1),
        "samsung-840": (None, 1),
    }
    for slug in ("intel-dc-s3700", "ocz-deneva-2-slc", "samsung-830"):
        assert rank(rows[slug]) == (1, 4, 10)
    assert rank(rows["samsung-840-pro"]) == (4, 10, 10)
    assert rows["ocz-deneva-2-slc"]["rating"]["never_tested_above"]
    assert body["conditions"]["text"].startswith("response time (total), over-provisioned, ACT before 2.0")


def test_nothing_is_said_of_loads_above_a_pass_and_neighbours_bound_the_rest(ask: Ask) -> None:
    rows = named(ask("/leaderboard", scope="public", op="over_provisioned", **BLOG))
    cells = {slug: [cell["state"] for cell in row["cells"]] for slug, row in rows.items()}
    assert cells["ocz-deneva-2-slc"] == ["passed", "passed", "untested", "untested"]
    assert cells["samsung-840-pro"] == ["bounded", "failed", "bounded", "bounded"]
    bounded = rows["samsung-840-pro"]["cells"][0]
    assert "bounded by the test at 3x" in bounded["reason"]
    assert bounded["exceedances"][0]["lower_ratio"] == 0.0
    assert abs(bounded["exceedances"][0]["upper_ratio"] - 0.11775) < 1e-9
    assert bounded["test_ids"] == []


def test_five_rows_flip_between_pass_and_fail_by_what_was_timed(ask: Ask) -> None:
    """Each is a row of its own under either, and neither is hidden where both are asked for."""
    body = ask("/leaderboard", scope="public", generation="before-2.0", equal="false", limit=200)
    flips = set()
    total, device = ({}, {})  # type: ignore[var-annotated]
    for row in body["rows"]:
        for cell in row["cells"]:
            if cell["state"] in {"passed", "failed"}:
                key = (row["drive"]["slug"], row["over_provisioning"]["class"], cell["load"])
                (total if row["metric_class"] == "total" else device)[key] = cell["state"]
    flips = {key for key, state in total.items() if device.get(key, state) != state}
    assert flips == {
        ("act-blog-unnamed-drive", "none", 1),
        ("samsung-830", "over_provisioned", 6),
        ("intel-dc-s3700", "over_provisioned", 6),
        ("intel-dc-s3700", "none", 6),
        ("fusion-io-iodrive2-mlc", "none", 6),
    }
    assert all(total[key] == "failed" and device[key] == "passed" for key in flips)


def test_a_drive_whose_shares_fall_while_the_load_rises_says_so(ask: Ask) -> None:
    row = named(ask("/leaderboard", scope="public", op="none", **BLOG))["fusion-io-iodrive2-mlc"]
    assert interval(row) == (3, 6)
    assert any("at 12x" in one and "than at 6x" in one for one in row["rating"]["violations"])


def test_a_printed_limit_is_undecided_by_itself(ask: Ask) -> None:
    """“0.1” at 64 ms stands for 0.05 to 0.15 %; the limit is 0.1 %. In true times that label is 128 ms."""
    body = ask("/leaderboard", scope="public", op="over_provisioned", limits="128000000:0.001", **BLOG)
    row = named(body)["ocz-vertex-4"]
    cell = next(cell for cell in row["cells"] if cell["load"] == 12)
    assert cell["state"] == "undecided"
    assert "between 0.05 % and 0.15 %" in cell["reason"] or "0 % and 0.15 %" in cell["reason"]
    page = ask("/drives/ocz-vertex-4")
    row_id = next(one["row_id"] for one in page["rows"] if one["metric_class"] == "total")
    curve = next(
        one for one in page["curves"] if (one["row_id"], one["threshold_ns"]) == (row_id, 64_000_000)
    )
    point = next(point for point in curve["points"] if point["load"] == 12)
    assert point["state"] == "undecided"
    assert (point["lower_ratio"], point["upper_ratio"]) == (0.0005, 0.0015)


def test_equal_conditions_hide_others_and_say_why(ask: Ask) -> None:
    body = ask("/leaderboard", scope="public")
    assert body["conditions"]["metric_class"] == "total"
    assert body["total"] == 10
    assert body["hidden"]["count"] == body["total_unfiltered"] - 10
    assert sum(one["count"] for one in body["hidden"]["reasons"]) == body["hidden"]["count"]
    reasons = {one["reason"] for one in body["hidden"]["reasons"]}
    assert {"service time (device only)", "what was timed is not stated", "no over-provisioning"} <= reasons
    everything = ask("/leaderboard", scope="public", equal="false", limit=500)
    assert everything["conditions"] is None
    assert everything["hidden"] == {"count": 0, "reasons": []}
    assert everything["total"] == body["total_unfiltered"]


def test_marks_and_evidence(ask: Ask) -> None:
    rows = named(ask("/leaderboard", scope="public", equal="false", limit=500), metric_class="unstated")
    assert rows["intel-dc-s3700"]["marks"] == ["disputed"]
    assert rows["seagate-600-pro"]["marks"] == ["reproduced"]
    assert rows["micron-5200-max"]["evidence"] == ["vendor"]
    assert rows["samsung-pm983"]["evidence"] == ["third_party"]
    only = ask("/leaderboard", scope="public", evidence="vendor", equal="false", limit=500)
    assert {one for row in only["rows"] for one in row["evidence"]} == {"vendor"}
    assert only["total"] == only["facets"]["evidence"][0]["count"]


def test_every_published_share_is_on_a_page(ask: Ask) -> None:
    """32 rows of the post (31 with both times) and 53 of the page, each with its printed shares."""
    slugs = {
        row["drive"]["slug"] for row in ask("/leaderboard", scope="public", equal="false", limit=500)["rows"]
    }
    tests = [test for slug in slugs for test in ask(f"/drives/{slug}")["tests"]]
    published = [test for test in tests if test["source"]["kind"] == "publication"]
    assert len(published) == 31 * 2 + 1 + 53
    assert len({test["test_id"] for test in published}) == len(published)
    assert all(share["as_printed"] for test in published for share in test["exceedances"])
    assert sum(len(test["exceedances"]) for test in published) == 3 * len(published)


def test_unequal_conditions_are_explained(ask: Ask) -> None:
    page = ask("/drives/intel-dc-s3700")
    reasons = {reason for pair in page["comparability"] for reason in pair["reasons"]}
    assert any("different times were taken" in reason for reason in reasons)
    assert any("different generations" in reason for reason in reasons)
    assert all(reason.startswith("not comparable because ") for reason in reasons)
    first, second = "aerospike-act-blog-2012:t2-r22:total", "aerospike-act-blog-2012:t2-r23:total"
    body = ask("/comparability", test=[first, second])
    assert body["pairs"][0]["comparable"] is False
    assert body["pairs"][0]["reasons"] == ["not comparable because the loads differ (3x and 6x)"]
    assert [test["test_id"] for test in body["tests"]] == [first, second]


def test_findings_of_audits_stand_beside_the_tests_they_are_about(ask: Ask) -> None:
    tests = ask("/drives/fusion-io-iodrive2-mlc")["tests"]
    found = [finding for test in tests for finding in test["findings"]]
    assert any(finding["check"] == "P6" for finding in found)


def test_facts_have_sources(ask: Ask) -> None:
    facts = ask("/drives/kioxia-cd8p-r")["facts"]
    assert facts
    assert all(fact["source"]["publication"] or fact["source"]["text"] for fact in facts)
