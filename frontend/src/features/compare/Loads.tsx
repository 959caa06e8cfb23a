// Table of the load of each subject: only equal loads are comparable.
import type { Comparison } from "@/api/comparisons";
import { clockName } from "@/entities/run/words";
import { formatCount, formatSpan } from "@/lib/format";
import { DataTable, RIGHT, ROW_HEADER } from "@/ui/DataTable";
import { Unknown } from "@/ui/Value";
import { SubjectName } from "./Subjects";
import { baseText, inFlightText, newText } from "./words";

const THROUGHPUT = "throughput_ops_per_s";

type Subject = Comparison["subjects"][number];
/** `noun`: the label inside a sentence; `unknown`: why a cell is empty. */
type LoadColumn = {
  label: string;
  noun: string;
  unknown: string;
  text: (subject: Subject, index: number) => string | null;
};

export function Loads({ comparison }: { comparison: Comparison }) {
  const rateOf = (index: number): string | null => {
    const pair = comparison.pairs.find((candidate) => index === 0 || candidate.new === index);
    const gain = pair?.gains.find((candidate) => candidate.quantity === THROUGHPUT);
    if (gain === undefined) return null;
    return index === 0 ? baseText(gain) : newText(gain);
  };
  const loads: LoadColumn[] = [
    {
      label: "Intended",
      noun: "the intended rate",
      unknown: "its source names no schedule",
      text: ({ target_per_s: perS }) => (perS === null ? null : `${formatCount(perS)}\u00a0ops/s`),
    },
    {
      label: "Measured",
      noun: "the measured rate",
      unknown: "its source states no rate",
      text: (_, index) => rateOf(index),
    },
    {
      label: "In flight",
      noun: "operations in flight",
      unknown: "its source does not state both rate and mean",
      text: (series) => (series.in_flight_lower == null ? null : inFlightText(series)),
    },
    {
      label: "Operations",
      noun: "the number of operations",
      unknown: "its source does not count them",
      text: ({ samples }) => (samples === null ? null : formatCount(samples)),
    },
    {
      label: "For",
      noun: "how long",
      unknown: "its source does not say how long",
      text: ({ measured_ns: ns }) => (ns === null ? null : formatSpan(ns)),
    },
  ];
  const shown = loads.filter(({ text }) => comparison.subjects.some((subject, index) => text(subject, index) !== null));
  const unknown = loads.filter((column) => !shown.includes(column));
  return (
    <section className="stack-12" aria-label="Load of each">
      <h2>Under which load</h2>
      <DataTable
        label="Load of each"
        plain="cards"
        rows={comparison.subjects}
        columns={[
          { header: "Subject", accessorFn: (subject) => <SubjectName subject={subject} />, meta: ROW_HEADER },
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
        {unknown.length === 0 ? "" : ` Not stated by any: ${unknown.map(({ noun }) => noun).join(", ")}.`}
      </p>
    </section>
  );
}
