// Table of the load of each subject: only equal loads are comparable.
import type { Comparison } from "@/api/comparisons";
import { clockName } from "@/entities/run/words";
import { formatCount, formatSpan } from "@/lib/format";
import { DataTable, RIGHT } from "@/ui/DataTable";
import { Unknown } from "@/ui/Value";
import { SubjectName } from "./Subjects";
import { figureText, inFlightText } from "./words";

const THROUGHPUT = "throughput_ops_per_s";

type Subject = Comparison["subjects"][number];
type LoadColumn = { label: string; unknown: string; text: (subject: Subject, index: number) => string | null };

export function Loads({ comparison }: { comparison: Comparison }) {
  const rateOf = (index: number): string | null => {
    const [first] = comparison.pairs;
    const pair = index === 0 ? first : comparison.pairs.find((candidate) => candidate.new === index);
    const gain = pair?.gains.find((candidate) => candidate.quantity === THROUGHPUT);
    if (gain === undefined) return null;
    return index === 0
      ? figureText(THROUGHPUT, gain.base_lower, gain.base_upper)
      : figureText(THROUGHPUT, gain.new_lower, gain.new_upper);
  };
  const loads: LoadColumn[] = [
    {
      label: "Intended",
      unknown: "its source names no schedule",
      text: ({ target_per_s: perS }) => (perS === null ? null : `${formatCount(perS)}\u00a0ops/s`),
    },
    { label: "Measured", unknown: "its source states no rate", text: (_, index) => rateOf(index) },
    {
      label: "In flight",
      unknown: "its source does not state both rate and mean",
      text: (series) => (series.in_flight_lower == null ? null : inFlightText(series)),
    },
    {
      label: "Operations",
      unknown: "its source does not count them",
      text: ({ samples }) => (samples === null ? null : formatCount(samples)),
    },
    {
      label: "For",
      unknown: "its source does not say how long",
      text: ({ measured_ns: ns }) => (ns === null ? null : formatSpan(ns)),
    },
  ];
  const [shown, unknown] = [true, false].map((isKnown) =>
    loads.filter(({ text }) => comparison.subjects.some((subject, index) => text(subject, index) !== null) === isKnown),
  ) as [LoadColumn[], LoadColumn[]];
  return (
    <section className="stack-12" aria-label="Load of each">
      <h2>Under which load</h2>
      <DataTable
        label="Load of each"
        plain="cards"
        rows={comparison.subjects}
        columns={[
          {
            header: "Subject",
            accessorFn: (subject) => <SubjectName subject={subject} />,
            meta: { isRowHeader: true },
          },
          { header: "Timed", accessorFn: ({ clock }) => clockName(clock) },
          ...shown.map(({ label, text, unknown: reason }) => ({
            header: label,
            accessorFn: (subject: Subject, index: number) => text(subject, index) ?? <Unknown reason={reason} />,
            meta: RIGHT,
          })),
        ]}
      />
      <p className="dim">
        In flight: throughput times mean latency (Little’s law). Where several operations share a rate, only bounds are
        known.
        {unknown.length === 0
          ? ""
          : ` Not stated by any: ${unknown.map(({ label }) => WORDS[label] ?? label).join(", ")}.`}
      </p>
    </section>
  );
}

/** Column headers as words inside a sentence. */
const WORDS: Record<string, string> = {
  Intended: "the intended rate",
  Measured: "the measured rate",
  "In flight": "operations in flight",
  Operations: "the number of operations",
  For: "how long",
};
