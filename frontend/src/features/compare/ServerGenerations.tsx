// A new server against an old one, workload by workload: the figures of a vendor's brief, with the room that rounding leaves.
import { useQueries } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type Comparison, comparisonQuery } from "@/api/comparisons";
import { searchOf } from "@/entities/comparison/subjects";
import { ScrollRegion } from "@/ui/ScrollRegion";
import { Failed, Loading } from "@/ui/states";
import classes from "./ComparePage.module.css";
import { generationsSentence, percentText } from "./generations";
import { figureText, inFlightText } from "./words";

const QUESTION = "How much more does the new server do?";
const DOCUMENT = "kioxia-cd8p-ycsb-2025";
const WORKLOADS = [
  { row: "test1-r1", name: "Half reads, half updates", letter: "A" },
  { row: "test1-r2", name: "95\u00a0% reads, 5\u00a0% updates", letter: "B" },
  { row: "test1-r3", name: "Reads only", letter: "C" },
  { row: "test1-r4", name: "95\u00a0% reads, 5\u00a0% inserts", letter: "D" },
  { row: "test1-r5", name: "Half reads, half read-modify-write", letter: "F" },
] as const;
const subjectsOfRow = (row: string): string[] =>
  ["CD6-R", "CD8P-R"].map((drive) => `publication:${DOCUMENT}#${row}/${drive}`);

const gainOf = (comparison: Comparison, quantity: string) =>
  comparison.pairs[0]?.gains.find((gain) => gain.quantity === quantity) ?? null;

export function ServerGenerations() {
  const answers = useQueries({
    queries: WORKLOADS.map(({ row }) => comparisonQuery(subjectsOfRow(row), { operation: "read" })),
  });
  const failed = answers.find((answer) => answer.error !== null)?.error;
  if (failed != null) return <Failed error={failed} what="The comparison" />;
  const comparisons = answers.flatMap((answer) => (answer.data === undefined ? [] : [answer.data]));
  if (comparisons.length < WORKLOADS.length)
    return (
      <>
        <p className={classes["question"]}>{QUESTION}</p>
        <Loading what="five workloads of a published document, old server against new" lines={4} height={96} />
      </>
    );
  const rates = comparisons.flatMap((comparison) => gainOf(comparison, "throughput_ops_per_s") ?? []);
  return (
    <>
      <header className={classes["pair"]}>
        <p className={classes["question"]}>{QUESTION}</p>
        <h1 className={classes["headline"]}>{generationsSentence(rates)}</h1>
        <p>
          Old: Dell R740xd with KIOXIA CD6-R. New: Dell R770 with KIOXIA CD8P-R. Published by{" "}
          <Link to="/publications/$slug" params={{ slug: DOCUMENT }}>
            KIOXIA, 2025
          </Link>
          .
        </p>
        <p className={classes["reason"]}>
          Processor, memory and drive differ: the drive alone is not shown to be the reason. Each figure is a mean of
          runs whose spread is not published, so no difference is called significant.
        </p>
        <p>
          <Link to="/publications/$slug" params={{ slug: DOCUMENT }} hash="findings">
            In three of the five workloads the old server had more operations in flight
          </Link>
          : part of its waiting is queueing.
        </p>
      </header>
      <section className={classes["section"]} aria-label="Gains by workload">
        <h2>By workload, new against old</h2>
        <ScrollRegion label="Gains by workload" cards>
          <table className="data dense">
            <thead>
              <tr>
                <th scope="col">Workload</th>
                <th scope="col" className="right">
                  Throughput, old
                </th>
                <th scope="col" className="right">
                  Throughput, new
                </th>
                <th scope="col" className="right">
                  More
                </th>
                <th scope="col" className="right">
                  In flight, old
                </th>
                <th scope="col" className="right">
                  In flight, new
                </th>
                <th scope="col" className="right">
                  p99 of reads, old
                </th>
                <th scope="col" className="right">
                  p99 of reads, new
                </th>
                <th scope="col" className="right">
                  New ÷ old
                </th>
                <th scope="col" className="no-print">
                  <span className="visually-hidden">Details</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {WORKLOADS.map(({ row, name, letter }, index) => {
                const comparison = comparisons[index];
                const rate = comparison === undefined ? null : gainOf(comparison, "throughput_ops_per_s");
                const tail = comparison === undefined ? null : gainOf(comparison, "latency_p99_ns");
                return (
                  <tr key={row}>
                    <th scope="row">
                      {name}
                      <div className="dim">workload {letter}</div>
                    </th>
                    <td className="right">{rate && figureText(rate.quantity, rate.base_lower, rate.base_upper)}</td>
                    <td className="right">{rate && figureText(rate.quantity, rate.new_lower, rate.new_upper)}</td>
                    <td className="right">{rate && percentText(rate)}</td>
                    <td className="right">{inFlightText(comparison?.subjects[0])}</td>
                    <td className="right">{inFlightText(comparison?.subjects[1])}</td>
                    <td className="right">{tail && figureText(tail.quantity, tail.base_lower, tail.base_upper)}</td>
                    <td className="right">{tail && figureText(tail.quantity, tail.new_lower, tail.new_upper)}</td>
                    <td className="right" data-faint={comparison?.pairs[0]?.comparable === false || undefined}>
                      {comparison?.pairs[0]?.comparable === false ? "unequal load" : tail?.ratio_text}
                    </td>
                    <td className="no-print">
                      <Link
                        to="/compare"
                        search={{ ...searchOf(subjectsOfRow(row)), operation: "read" }}
                        aria-label={`Compare workload ${letter}`}
                      >
                        Compare
                      </Link>
                    </td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </ScrollRegion>
      </section>
    </>
  );
}
