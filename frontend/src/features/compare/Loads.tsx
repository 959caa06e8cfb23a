// Under which load each was measured: only equal loads compare.
import type { Comparison } from "@/api/comparisons";
import { clockName } from "@/entities/run/words";
import { formatCount, formatSpan } from "@/lib/format";
import { nanoseconds } from "@/lib/units";
import { ScrollRegion } from "@/ui/ScrollRegion";
import { Unknown } from "@/ui/Value";
import classes from "./ComparePage.module.css";
import { SubjectName } from "./Subjects";
import { figureText, inFlightText } from "./words";

const THROUGHPUT = "throughput_ops_per_s";

type Subject = Comparison["subjects"][number];
type Column = { label: string; unknown: string; text: (subject: Subject, index: number) => string | null };

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
  const columns: Column[] = [
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
      text: ({ measured_ns: ns }) => (ns === null ? null : formatSpan(nanoseconds(ns))),
    },
  ];
  const [shown, unknown] = [true, false].map((isKnown) =>
    columns.filter(
      ({ text }) => comparison.subjects.some((subject, index) => text(subject, index) !== null) === isKnown,
    ),
  ) as [Column[], Column[]];
  return (
    <section className={classes["section"]} aria-label="Load of each">
      <h2>Under which load</h2>
      <ScrollRegion label="Load of each" cards>
        <table className="data">
          <thead>
            <tr>
              <th scope="col">Subject</th>
              <th scope="col">Timed</th>
              {shown.map(({ label }) => (
                <th key={label} scope="col" className="right">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {comparison.subjects.map((subject, index) => (
              <tr key={subject.subject}>
                <th scope="row">
                  <SubjectName subject={subject} />
                </th>
                <td>{clockName(subject.clock)}</td>
                {shown.map((column) => (
                  <td key={column.label} className="right">
                    {column.text(subject, index) ?? <Unknown reason={column.unknown} />}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
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

/** Columns in a sentence. */
const WORDS: Record<string, string> = {
  Intended: "the intended rate",
  Measured: "the measured rate",
  "In flight": "operations in flight",
  Operations: "the number of operations",
  For: "how long",
};
