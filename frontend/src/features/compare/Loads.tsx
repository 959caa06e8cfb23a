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

export function Loads({ found }: { found: Comparison }) {
  const rateOf = (index: number): string | null => {
    const [first] = found.pairs;
    const pair = index === 0 ? first : found.pairs.find((one) => one.new === index);
    const gain = pair?.gains.find((one) => one.quantity === THROUGHPUT);
    if (gain === undefined) return null;
    return index === 0
      ? figureText(THROUGHPUT, gain.base_lower, gain.base_upper)
      : figureText(THROUGHPUT, gain.new_lower, gain.new_upper);
  };
  return (
    <section className={classes["section"]} aria-label="Load of each">
      <h2>Under which load</h2>
      <ScrollRegion label="Load of each" cards>
        <table className="data">
          <thead>
            <tr>
              <th scope="col">Subject</th>
              <th scope="col">Timed</th>
              <th scope="col" className="right">
                Intended
              </th>
              <th scope="col" className="right">
                Measured
              </th>
              <th scope="col" className="right">
                In flight
              </th>
              <th scope="col" className="right">
                Operations
              </th>
              <th scope="col" className="right">
                For
              </th>
            </tr>
          </thead>
          <tbody>
            {found.subjects.map((one, index) => (
              <tr key={one.subject}>
                <th scope="row">
                  <SubjectName one={one} />
                </th>
                <td>{clockName(one.clock)}</td>
                <td className="right">
                  {one.target_per_s === null ? (
                    <Unknown reason="its source names no schedule" />
                  ) : (
                    `${formatCount(one.target_per_s)}\u00a0ops/s`
                  )}
                </td>
                <td className="right">{rateOf(index) ?? <Unknown reason="its source states no rate" />}</td>
                <td className="right">
                  {one.in_flight_lower == null ? (
                    <Unknown reason="its source does not state both rate and mean" />
                  ) : (
                    inFlightText(one)
                  )}
                </td>
                <td className="right">
                  {one.samples === null ? (
                    <Unknown reason="its source does not count them" />
                  ) : (
                    formatCount(one.samples)
                  )}
                </td>
                <td className="right">
                  {one.measured_ns === null ? (
                    <Unknown reason="its source does not say how long" />
                  ) : (
                    formatSpan(nanoseconds(one.measured_ns))
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      <p className="dim">
        In flight: throughput times mean latency (Little’s law). Where several operations share a rate, only bounds are
        known.
      </p>
    </section>
  );
}
