// Renders a search for the highest sustainable load: its result as a sentence, the load curve, and all probes.
import { useQuery } from "@tanstack/react-query";
import { loadSearchQuery } from "@/api/queries";
import type { RunDetail, LoadSearch as Search } from "@/api/types";
import { logDomain, positionOf } from "@/charts/scales";
import { VerdictBadge } from "@/entities/verdict/VerdictBadge";
import { VerdictDot } from "@/entities/verdict/VerdictDot";
import { formatLatency, formatLatencyInterval, formatRate } from "@/lib/format";
import { type Columns, DataTable } from "@/ui/DataTable";
import { RunLink } from "@/ui/links";
import { Section } from "@/ui/Section";
import { QueryView } from "@/ui/states";

type Probe = Search["probes"][number];

const HEIGHT = 200;

export function LoadSearch({ run }: { run: RunDetail }) {
  return isProbe(run) ? <LoadSearchPanel runId={run.run_id} /> : null;
}

/** Returns whether the run's plan makes it a probe of a search. */
function isProbe(run: RunDetail): boolean {
  const { ladder }: { ladder?: { kind?: unknown } | null } = run.plan;
  return ladder?.kind === "probe";
}

export function LoadSearchPanel({ runId }: { runId: string }) {
  const search = useQuery(loadSearchQuery(runId));
  return (
    <Section title="Highest load that holds" className="stack-8 panel">
      {search.data !== undefined ? (
        <>
          <p className="strong" role="status">
            {finding(search.data)}
          </p>
          {searchNotes(search.data).map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
          <LoadCurve search={search.data} runId={runId} />
          <Table search={search.data} runId={runId} />
        </>
      ) : (
        <QueryView query={search} what="the search" lines={1} height={HEIGHT} />
      )}
    </Section>
  );
}

/** Returns the combined result of the probes in one sentence. */
export function finding(search: Search): string {
  const { objective, passed_per_s: passed, failed_per_s: failed, limited_per_s: limited } = search;
  const soFar = search.may_change ? " so far" : "";
  if (passed === null && failed === null) return `${objective}: no load is decided${soFar}.`;
  if (passed === null) return `${objective}: no load holds${soFar}; ${formatRate(failed ?? 0)} fails.`;
  if (failed !== null) return `${objective} holds at ${formatRate(passed)} and fails at ${formatRate(failed)}${soFar}.`;
  const above =
    limited === null ? "no load is shown to fail" : `${formatRate(limited)} is more than the load generator makes`;
  return `${objective} holds at ${formatRate(passed)} at least; ${above}${soFar}.`;
}

/** Returns notes on the result: its certainty, and changes of the server during the search. */
export function searchNotes(search: Search): string[] {
  const { surely_passed_per_s: lower, surely_failed_per_s: upper, passed_per_s: passed, failed_per_s: failed } = search;
  const sentences: string[] = [];
  if (passed !== null && failed !== null) {
    const end = (load: number | null) => (load === null ? "open" : formatRate(load));
    const why = lower === null || upper === null ? "; longer probes close an open end" : "";
    sentences.push(`Beyond the scatter of its probes: ${end(lower)} to ${end(upper)}${why}.`);
    if (!search.is_repeated && !search.may_change) sentences.push("An end of it was measured once only.");
  }
  for (const change of search.changes) {
    const what = change.is_hysteresis ? "Hysteresis" : "The server changed";
    sentences.push(
      `${what}: ${formatRate(change.load_per_s)} was ${WORDS[change.before]}, later ${WORDS[change.after]}.`,
    );
  }
  for (const load of search.passes_above_failure) {
    sentences.push(`${formatRate(load)} held as well, above a load that failed.`);
  }
  const limited = [...new Set(search.probes.filter((probe) => probe.is_limited).map((probe) => probe.load_per_s))];
  if (limited.length > 0) {
    const loads = limited.map((load) => formatRate(load)).join(", ");
    sentences.push(`The load generator was late or busy at ${loads}: latencies there are not those of this load.`);
  }
  if (!search.may_change && search.ended_text !== null) sentences.push(search.ended_text);
  return sentences;
}

const WORDS = { PASS: "PASS", FAIL: "FAIL", LIMITED: "more than the load generator makes" } as const;

/** Returns the bounds of the quantile, and whether a late load generator makes them those of another load. */
export function quantileText({ quantile_lower_ns: lower, quantile_upper_ns: upper, is_limited }: Probe): string {
  if (lower === null) return "";
  const text = upper === null ? `≥ ${formatLatency(lower, "down")}` : formatLatencyInterval(lower, upper);
  return is_limited ? `${text}, not of this load` : text;
}

/** Renders the load curve. Horizontal positions are percentages, so that marks keep their size on phones. */
function LoadCurve({ search, runId }: { search: Search; runId: string }) {
  const shown = search.probes.flatMap((probe) => {
    const { quantile_lower_ns: lower, quantile_upper_ns: upper } = probe;
    return lower === null || lower <= 0 ? [] : [{ probe, lower, upper: upper ?? lower }];
  });
  const loads = logDomain(shown.map(({ probe }) => probe.load_per_s));
  const times = logDomain([search.limit_ns, ...shown.flatMap(({ lower, upper }) => [lower, upper])]);
  if (loads === null || times === null) return null;
  const x = (load: number) => `${100 * positionOf(load, loads, "log")}%`;
  const y = (time: number) => HEIGHT - positionOf(time, times, "log") * HEIGHT;
  return (
    <figure style={{ padding: 8 }}>
      <svg
        style={{ display: "block", width: "100%", overflow: "visible" }}
        height={HEIGHT}
        role="img"
        aria-label={`Latency over load of ${shown.length} probes; the table below has the numbers`}
      >
        <line
          stroke="currentColor"
          strokeDasharray="4 3"
          opacity={0.6}
          x1="0%"
          x2="100%"
          y1={y(search.limit_ns)}
          y2={y(search.limit_ns)}
        />
        <text x={0} y={y(search.limit_ns) - 4} fontSize={12} fill="currentColor">
          {formatLatency(search.limit_ns)}
        </text>
        {shown.map(({ probe, lower, upper }) => (
          <g key={probe.run_id} strokeWidth={2} stroke={probe.run_id === runId ? "currentColor" : "none"}>
            <title>{`${formatRate(probe.load_per_s)}\n${quantileText(probe)}\n${probe.words ?? "being measured"}`}</title>
            <line
              stroke="currentColor"
              strokeWidth={1.5}
              opacity={0.45}
              x1={x(probe.load_per_s)}
              x2={x(probe.load_per_s)}
              y1={y(lower)}
              y2={y(upper)}
            />
            <VerdictDot verdict={probe.verdict} x={x(probe.load_per_s)} y={y(Math.sqrt(lower * upper))} />
          </g>
        ))}
      </svg>
      <figcaption className="wrap between smaller" style={{ marginTop: 12 }}>
        <span>{formatRate(loads[0])}</span>
        <span>{formatRate(loads[1])}</span>
        <span style={{ flexBasis: "100%", textAlign: "center" }}>{quantityOf(search)} over load, both logarithmic</span>
      </figcaption>
    </figure>
  );
}

/** Returns the measured quantity from the objective, such as "p99 get". */
function quantityOf(search: Search): string {
  return (search.objective.split(/[<≤]/u)[0] ?? "").trim();
}

function Table({ search, runId }: { search: Search; runId: string }) {
  const columns: Columns<Probe> = [
    {
      header: "Probe",
      accessorFn: ({ run_id, step }) => (
        <RunLink
          id={run_id}
          aria-current={run_id === runId ? "page" : undefined}
          aria-label={`probe ${step}`}
          preload="intent"
        >
          {step}
        </RunLink>
      ),
    },
    { header: "Load", accessorFn: ({ load_per_s }) => formatRate(load_per_s) },
    { id: "quantity", header: quantityOf(search), accessorFn: quantileText },
    {
      header: "Verdict",
      accessorFn: ({ verdict, strength, words }) =>
        verdict === null ? "being measured" : <VerdictBadge of={{ verdict, strength, provisional: false, words }} />,
    },
  ];
  return <DataTable label="Probes, as a table" plain maxHeight={320} columns={columns} rows={search.probes} />;
}
