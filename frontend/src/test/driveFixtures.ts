// Test fixtures: leaderboard rows as the API returns them. Each test overrides only the fields it checks.
import type { Leaderboard, LeaderboardCell, LeaderboardRow } from "@/api/types";

export const LOADS = [1, 3, 6, 12];

const LIMITS = [
  { threshold_ns: 1_000_000, limit_ratio: 0.05 },
  { threshold_ns: 8_000_000, limit_ratio: 0.01 },
];

export function cell(
  load: number,
  state: LeaderboardCell["state"],
  changes: Partial<LeaderboardCell> = {},
): LeaderboardCell {
  const tested = state !== "bounded" && state !== "untested";
  return {
    load,
    state,
    verdict: state === "passed" ? "PASS" : state === "failed" ? "FAIL" : tested ? "INDETERMINATE" : null,
    strength: state === "passed" || state === "failed" ? "observed" : null,
    words: state === "passed" ? "PASS in its test" : state === "failed" ? "FAIL in its test" : null,
    headline: null,
    observed: null,
    proven: null,
    exceedances: tested ? [{ threshold_ns: 1_000_000, lower_ratio: 0.01, upper_ratio: 0.02 }] : [],
    reason: null,
    basis: tested ? "whole_run" : null,
    test_ids: tested ? [`test-${load}`] : [],
    tested_at: [],
    publishers: [],
    disagree: false,
    ...changes,
  };
}

export function leaderboardRow(row_id: string, changes: Partial<LeaderboardRow> = {}): LeaderboardRow {
  return {
    row_id,
    drive: { slug: "intel-s3700", vendor: "Intel", name: "Intel S3700" },
    capacity_bytes: 400e9,
    over_provisioning: { class: "over_provisioned", usable_ratio: 0.79, as_printed: "YES" },
    metric_class: "total",
    generation: "before-2.0",
    usable_cluster: 0,
    record_bytes: 1536,
    rating: {
      passed_load: 3,
      failed_load: 6,
      passed_strength: "observed",
      failed_strength: "observed",
      never_tested_above: false,
      violations: [],
    },
    rank: { best: 1, worst: 4, among: 10 },
    unranked_reason: null,
    cells: [cell(1, "bounded"), cell(3, "passed"), cell(6, "failed"), cell(12, "untested")],
    exceedance_at_common: { load: 3, threshold_ns: 1_000_000, lower_ratio: 0.0155, upper_ratio: 0.0165 },
    interface: "SATA 6 Gb/s",
    form_factor: null,
    dwpd: 10,
    power_w: null,
    price: null,
    price_per_ktps: null,
    price_per_thousand_transactions: null,
    watts_per_thousand_transactions: null,
    watts_per_ktps: null,
    evidence: ["vendor"],
    marks: [],
    visibility: "public",
    test_count: 2,
    tested_year: 2012,
    published_year: 2012,
    longest_test_ns: null,
    firmware: null,
    firmwares: [],
    tested_by: ["its vendor"],
    counters: null,
    standing: {
      standing: "self-reported",
      reason: "One tester; a second organisation with another drive would confirm it.",
      tests: 2,
      testers: 1,
      serials: 0,
      spread_ratio: null,
      runs_made: null,
      runs_published: 0,
    },
    ...changes,
  };
}

export function leaderboard(rows: readonly LeaderboardRow[], changes: Partial<Leaderboard> = {}): Leaderboard {
  return {
    rule_set: {
      name: "act-performance",
      version: 1,
      title: "ACT performance test",
      question: "Does it keep the limits?",
      limits: LIMITS,
      min_duration_ns: 86_400_000_000_000,
      slice_ns: 3_600_000_000_000,
    },
    question: null,
    method_version: 3,
    loads: LOADS,
    rows: [...rows],
    next_cursor: null,
    run_not_rated: null,
    total: rows.length,
    total_unfiltered: rows.length,
    conditions: {
      metric_class: "total",
      op_class: "over_provisioned",
      generation: "before-2.0",
      usable_ratio: null,
      record_bytes: 1500,
      rows: rows.length,
      text: "response time (total), over-provisioned, ACT before 2.0",
    },
    classes: [],
    hidden: { count: 0, reasons: [] },
    facets: {},
    tests_waiting: 0,
    withdrawn: [],
    notes: [],
    ...changes,
  };
}
