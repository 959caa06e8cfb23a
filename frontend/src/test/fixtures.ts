// Test fixtures: a small run as the API returns it. Each test overrides only the fields it checks.
import type { RunDetail, RunSummary, Timeline, Verdict } from "@/api/types";

export const RUN_ID = "019b76da-a800-7d41-9c3e-5f0a1b2c3d4e";

export function runDetail(changes: Partial<RunDetail> = {}): RunDetail {
  const series = (
    series_no: number,
    operation: string,
    clock: "response" | "service",
  ): RunDetail["series"][number] => ({
    series_no,
    operation,
    clock,
    kind: "tick",
    phase: "main",
    host: "bench-01",
    device: "/var/lib/tailroom/act.dat",
    layout: null,
    pin_thresholds_ns: [1_000_000, 8_000_000, 64_000_000],
    target_rate_per_s: 2000,
    contiguous_seq: 3,
    received_count: 4,
    semantics: null,
    source_name: null,
    target_count: null,
    missing_intervals: 0,
    periods: [],
  });
  return {
    run_id: RUN_ID,
    title: "First measurement: ACT 1x on bench-01",
    workload: "act-storage",
    state: "running",
    outcome: null,
    outcome_reason: null,
    started_at: "2026-11-20T17:00:00Z",
    planned_duration_ns: 30_000_000_000,
    planned_operations: null,
    phase_kind: null,
    measured_duration_ns: null,
    host_name: "bench-01",
    source: "agent",
    simulated: false,
    tool: null,
    tool_version: null,
    visibility: "private",
    started_at_known: true,
    last_data_at: "2026-11-20T17:00:04Z",
    ladder: null,
    probe: null,
    agent: { version: "0.1.0", commit: null },
    host: { hostname: "bench-01" },
    plan: { duration_s: 30 },
    target_name: "act.dat",
    series: [series(0, "read", "response"), series(1, "read", "service")],
    missing: [],
    stop_requested_at: null,
    data_through_ns: 4_000_000_000,
    judged_at: null,
    removed: null,
    disclosure: {
      required_count: 17,
      given_count: 14,
      missing: [{ field: "preconditioning", label: "preconditioning" }],
      disclosed: [],
    },
    format: null,
    end_state: null,
    closed_loop: false,
    problems: [],
    files: [],
    published_at: null,
    retracted_at: null,
    shown_names: [],
    retraction_reason: null,
    is_own: true,
    given_up: [],
    verdicts: [],
    ...changes,
  };
}

export function timeline(points = 4): Timeline {
  const column = <Value>(value: (index: number) => Value): Value[] =>
    Array.from({ length: points }, (_, index) => value(index));
  return {
    run_id: RUN_ID,
    series: ["response", "service"].map((clock) => ({
      operation: "read",
      clock: clock as "response" | "service",
      pin_thresholds_ns: [1_000_000, 8_000_000, 64_000_000],
      limits: [{ threshold_ns: 1_000_000, limit_ratio: 0.05 }],
      ticks: {
        start_ns: column((index) => index * 1_000_000_000),
        duration_ns: column(() => 1_000_000_000),
        count: column(() => 2000),
        errors: column(() => 0),
        timeouts: column(() => 0),
        target_count: column(() => 2000),
        min_ns: column(() => 80_000),
        max_ns: column(() => 1_500_000),
        over: [column(() => 5), column(() => 1), column(() => 0)],
        lateness_p99_ns: column(() => 40_000),
        busy_ratio: column(() => 0.25),
        in_flight: column(() => 3),
        oldest_in_flight_ns: column(() => 900_000),
        temperature_celsius: column(() => 41.5),
      },
      percentiles: [],
    })),
  };
}

export function exceedanceVerdict(changes: Partial<Verdict> = {}): Verdict {
  return {
    verdict_id: "019b76da-a800-7d41-9c3e-5f0a1b2c3d50",
    budget: { name: "act-limits", version: 1, title: "ACT limits", question: "Does it keep the ACT limits at 1x?" },
    kind: "exceedance",
    verdict: "PASS",
    reason: null,
    reason_text: null,
    decided_by: null,
    stage: "preview",
    provisional: false,
    method_version: 1,
    computed_at: "2026-11-20T17:00:31Z",
    data_through_ns: 30_000_000_000,
    exceedance: {
      operation: "read",
      clock: "response",
      rows: [
        {
          threshold_ns: 1_000_000,
          limit_ratio: 0.05,
          over_count: 1626,
          total_count: 60_000,
          ratio: 0.0271,
          ratio_lower: 0.0258,
          ratio_upper: 0.0284,
          verdict: "PASS",
        },
      ],
      certification: {
        required_duration_ns: 86_400_000_000_000,
        measured_duration_ns: 30_000_000_000,
        verdict: "INDETERMINATE",
        reason_text: "needs 24 h",
      },
    },
    transaction: null,
    ...changes,
  };
}

export function transactionVerdict(changes: Partial<Verdict> = {}): Verdict {
  return {
    ...exceedanceVerdict(),
    verdict_id: "019b76da-a800-7d41-9c3e-5f0a1b2c3d51",
    budget: { name: "fraud-250-sequential", version: 1, title: "Fraud check", question: "250 reads in 1 s?" },
    kind: "transaction",
    stage: "full",
    exceedance: null,
    transaction: {
      reads: 250,
      scheduling: "sequential",
      window_ns: 1_000_000_000,
      reserve_ns: 0,
      objective_ratio: 0.999,
      p_lower: 0.99934,
      p_estimate: 0.9995,
      p_upper: 0.99967,
      p_lower_confident: 0.9991,
      quantile_lower_ns: 360_000_000,
      quantile_upper_ns: 388_000_000,
      evidence: "measured",
      room_lower_ns: 612_300_000,
      room_upper_ns: 639_200_000,
      n_guaranteed: 402,
      n_possible: 410,
      n_text: "402–410",
      samples: 787_500,
      measured: {
        operation: "transaction",
        clock: "response",
        within_count: 3148,
        total_count: 3150,
        ratio: 0.99937,
        ratio_lower: 0.99771,
        ratio_upper: 0.99992,
        dependence_factor: 1.1,
        variance_inflation: 1.2,
        is_asked: true,
        quantile_lower_ns: 350_000_000,
        quantile_upper_ns: 390_000_000,
      },
      cdf: [
        { t_ns: 200_000_000, lower: 0.1, estimate: 0.15, upper: 0.2 },
        { t_ns: 1_000_000_000, lower: 0.99934, estimate: 0.9995, upper: 0.99967 },
      ],
    },
    ...changes,
  };
}

export function runSummary(changes: Partial<RunSummary> = {}): RunSummary {
  return {
    ...runDetail(),
    state: "finished",
    outcome: "completed",
    measured_duration_ns: 30_000_000_000,
    last_data_at: "2026-11-20T17:00:30Z",
    verdicts: [
      { budget_name: "act-limits", budget_title: "ACT limits", verdict: "PASS", reason: null, provisional: false },
    ],
    ...changes,
  };
}
