// Stated facts of the run: plan, machine, received data, and facts needed to repeat it.
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { sessionQuery } from "@/api/queries";
import type { RunDetail } from "@/api/types";
import { rawFileAddress } from "@/api/uploads";
import { Term } from "@/entities/glossary/Term";
import { clockName, operationName, plannedEnd, workloadName } from "@/entities/run/words";
import { formatBytes, formatExactLatency, formatInteger, formatMoment, formatRate, formatSpan } from "@/lib/format";
import { type Columns, DataTable, RIGHT } from "@/ui/DataTable";
import { IconCheck, IconWarning } from "@/ui/icons";
import { Section } from "@/ui/Section";
import { Unknown } from "@/ui/Value";
import { missingCount } from "./liveness";
import { Part } from "./Part";

const DisclosureForm = lazy(() =>
  import("@/entities/disclosure/DisclosureForm").then((module) => ({ default: module.DisclosureForm })),
);

export function RunFacts({ run }: { run: RunDetail }) {
  return (
    <Section title="Run facts" className="stack-8">
      <Disclosure run={run} />
      <OwnAnswers run={run} />
      <Part title="Run" open>
        <Group group={{ name: "", facts: ownFacts(run) }} />
      </Part>
      {Object.entries({ Plan: run.plan, Host: run.host }).map(([title, record]) => (
        <Part key={title} title={title}>
          {factGroups(title, record).map((group) => (
            <Group key={group.name} group={group} />
          ))}
        </Part>
      ))}
      {run.files.length === 0 ? null : (
        <Part title={`Result files (${run.files.length})`} open>
          <SourceFiles files={run.files} />
        </Part>
      )}
      <Part title={`Series (${run.series.length})`}>
        <DataTable label="Series" plain columns={SERIES} rows={run.series} />
      </Part>
    </Section>
  );
}

function ownFacts(run: RunDetail): FactGroup["facts"] {
  const received = run.series.reduce((sum, series) => sum + series.received_count, 0);
  const missing = missingCount(run);
  // Files of other tools have no plan and no agent.
  const isOfAgent = run.tool === null || run.tool === "tailroom-agent";
  const version = typeof run.agent["version"] === "string" ? run.agent["version"] : "not known";
  const commit = typeof run.agent["commit"] === "string" ? ` (${run.agent["commit"].slice(0, 12)})` : "";
  return [
    { name: "Run id", text: run.run_id },
    { name: "Workload", text: workloadName(run.workload) },
    { name: "Target", text: run.target_name ?? "not stated" },
    { name: "Started", text: startText(run) },
    ...(isOfAgent ? [{ name: "Planned", text: plannedEnd(run) }] : []),
    { name: "Measured", text: measuredText(run) },
    ...(isOfAgent ? [{ name: "Agent", text: `${version}${commit}` }] : []),
    ...(received === 0 && missing === 0
      ? []
      : [
          {
            name: "Intervals",
            text: `${formatInteger(received)} received, ${missing === 0 ? "none missing" : `${formatInteger(missing)} missing`}`,
          },
        ]),
  ];
}

function measuredText({ measured_duration_ns: measured }: RunDetail): string {
  if (measured === null) return "still running";
  return measured === 0 ? "not stated" : formatSpan(measured);
}

/** Returns the start time with its uncertainty, because an agent cannot read two clocks at the same instant. */
function startText(run: Pick<RunDetail, "started_at" | "started_at_known" | "simulated" | "host">): string {
  if (run.simulated) return "simulated, at no time";
  if (!run.started_at_known) return `not stated; uploaded ${formatMoment(run.started_at)}`;
  const clock = run.host["clock"];
  const within = clock !== null && typeof clock === "object" && Reflect.get(clock, "started_at_uncertainty_ns");
  const moment = formatMoment(run.started_at);
  return typeof within === "number" ? `${moment}, known within ${formatSpan(within)}` : moment;
}

function Disclosure({ run }: { run: RunDetail }) {
  const { given_count: answered, required_count: required, missing } = run.disclosure;
  const complete = missing.length === 0;
  return (
    <div className="card result" data-clear={complete || undefined}>
      {complete ? <IconCheck /> : <IconWarning />}
      <p>
        <strong>
          <Term id="disclosure">Disclosure</Term> {answered} of {required}.
        </strong>{" "}
        {complete
          ? "Everything needed to repeat this run is stated."
          : `Not stated: ${missing.map((fact) => fact.label).join(", ")}. Without ${missing.length === 1 ? "it" : "them"} others cannot fully repeat the run.`}
      </p>
    </div>
  );
}

/** Shows the form that adds or changes facts of the run to its owner; null for others, and without such facts. */
function OwnAnswers({ run }: { run: RunDetail }) {
  const session = useQuery(sessionQuery()).data;
  const { missing, disclosed } = run.disclosure;
  const may = run.is_own && run.state === "finished" && session?.capabilities.includes("publish") === true;
  if (!may || missing.length + disclosed.length === 0) return null;
  return (
    <div className="no-print">
      <Suspense fallback={null}>
        <DisclosureForm uploadId={null} run={run} others={[]} open={false} title="Add or change facts" />
      </Suspense>
    </div>
  );
}

/** Lists the uploaded files with download links, for the owner of the run. */
function SourceFiles({ files }: { files: RunDetail["files"] }) {
  return (
    <ul className="stack-4 plain-list wrap-anywhere">
      {files.map((file) => (
        <li key={`${file.sha256} ${file.name}`}>
          <a href={rawFileAddress(file.sha256)} download={file.name}>
            {file.name}
          </a>{" "}
          <span className="dim">
            {formatBytes(file.size_bytes)}, read {formatMoment(file.read_at)}
            {file.is_current ? "" : "; a longer copy came later"}
          </span>
        </li>
      ))}
    </ul>
  );
}

function Group({ group }: { group: FactGroup }) {
  return (
    <div>
      {group.name === "" ? null : <h3 className="small">{group.name}</h3>}
      <dl
        className="fields facts"
        style={{ gridTemplateColumns: "repeat(auto-fill, minmax(min(100%, 320px), 1fr))", rowGap: 4 }}
      >
        {group.facts.map((fact) => (
          <div key={`${fact.name} ${fact.text}`}>
            <dt>{fact.name}</dt>
            <dd>{fact.text}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

const SERIES: Columns<RunDetail["series"][number]> = [
  { header: "No.", accessorKey: "series_no", meta: RIGHT },
  { header: "Operation", accessorFn: ({ operation }) => operationName(operation) },
  { header: "Clock", accessorFn: ({ clock }) => clockName(clock) },
  { header: "Kind", accessorKey: "kind" },
  { header: "Device", accessorFn: ({ device }) => device ?? <Unknown reason="the series names no device" /> },
  {
    header: "Target",
    accessorFn: ({ target_rate_per_s: rate }) =>
      rate === null ? <Unknown reason="no target rate was set" /> : formatRate(rate),
    meta: RIGHT,
  },
  {
    header: "Exact counts at",
    accessorFn: ({ pin_thresholds_ns }) =>
      pin_thresholds_ns.map((threshold) => formatExactLatency(threshold)).join(", "),
  },
  { header: "Intervals", accessorFn: ({ received_count }) => formatInteger(received_count), meta: RIGHT },
  {
    header: "Complete up to",
    accessorFn: ({ contiguous_seq }) => (contiguous_seq < 0 ? "none" : formatInteger(contiguous_seq)),
    meta: RIGHT,
  },
];

type Fact = { readonly name: string; readonly text: string };
export type FactGroup = { readonly name: string; readonly facts: readonly Fact[] };

const UNITS: readonly [suffix: string, write: (value: number) => string][] = [
  ["_ns", formatExactLatency],
  ["_bytes", formatBytes],
  ["_per_s", (value) => `${number(value)}\u00a0/s`],
  ["_pct", (value) => `${number(value)}\u00a0%`],
  ["_mhz", (value) => `${number(value)}\u00a0MHz`],
  ["_s", (value) => formatSpan(value * 1e9)],
];

const number = (value: number): string => (Number.isInteger(value) ? formatInteger(value) : String(value));

const ABBREVIATIONS: Record<string, string> = {
  cpu: "CPU",
  smt: "SMT",
  numa: "NUMA",
  os: "OS",
  io: "I/O",
  id: "id",
  pcie: "PCIe",
  nic: "NIC",
  sha256: "SHA-256",
  defrag: "defragmentation",
  lwm: "low-water mark",
};

/** Returns the label of a field: `File size` for `file_size_bytes`. */
export function factName(key: string): string {
  const suffix = UNITS.find(([unit]) => key.endsWith(unit))?.[0] ?? "";
  const bare = suffix === "" || key.length === suffix.length ? key : key.slice(0, -suffix.length);
  const words = bare.split(/[_-]+/).map((word) => ABBREVIATIONS[word] ?? word);
  const text = words.join(" ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function factText(key: string, value: unknown): string {
  if (value === null || value === undefined || value === "") return "not known";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") return (UNITS.find(([unit]) => key.endsWith(unit))?.[1] ?? number)(value);
  if (typeof value === "string") return value;
  return JSON.stringify(value);
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function flatten(key: string, value: unknown, path: readonly string[]): Fact[] {
  if (isRecord(value)) {
    return Object.entries(value).flatMap(([inner, content]) => flatten(inner, content, [...path, factName(inner)]));
  }
  if (Array.isArray(value)) {
    if (value.length === 0) return [{ name: path.join(" · "), text: "none" }];
    if (value.some(isRecord)) {
      return value.flatMap((item, index) =>
        flatten(
          key,
          item,
          value.length === 1 ? path : [...path.slice(0, -1), `${path.at(-1) ?? ""} ${index + 1}`.trim()],
        ),
      );
    }
    return [{ name: path.join(" · "), text: value.map((item) => factText(key, item)).join(", ") }];
  }
  return [{ name: path.join(" · "), text: factText(key, value) }];
}

/** Returns the record itself, or the records of a list; empty for other values. */
const recordsIn = (value: unknown): readonly unknown[] =>
  isRecord(value) ? [value] : Array.isArray(value) && value.some(isRecord) ? value : [];

/** Returns the record's scalars as a group named `own`, then a group per nested object or list of objects. */
export function factGroups(own: string, record: Record<string, unknown>): FactGroup[] {
  const entries = Object.entries(record);
  const groups = entries.flatMap(([key, value]) =>
    recordsIn(value).map((item, index, all) => ({
      name: all.length === 1 ? factName(key) : `${factName(key)} ${index + 1}`,
      facts: flatten(key, item, isRecord(item) ? [] : [factName(key)]),
    })),
  );
  const scalars = entries.filter(([, value]) => recordsIn(value).length === 0);
  const facts = scalars.flatMap(([key, value]) => flatten(key, value, [factName(key)]));
  return [{ name: own, facts }, ...groups].filter((group) => group.facts.length > 0);
}
