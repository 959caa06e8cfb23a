// Trustworthiness of the measurement: state of the load generator, and conditions of the drive.

import { useMemo } from "react";
import type { PercentileCurve, Percentiles, RunDetail, TimelineSeries } from "@/api/types";
import { ChartFigure } from "@/charts/ChartFigure";
import { Term } from "@/entities/glossary/Term";
import type { Line } from "@/entities/run/words";
import { Fact, Facts } from "@/entities/verdict/VerdictFacts";
import { sentence } from "@/lib/format";
import { IconCheck, IconDot, IconWarning } from "@/ui/icons";
import { Section } from "@/ui/Section";
import { GENERATOR_ID } from "./anchor";
import { latenessSpec, temperatureSpec } from "./generatorSpecs";
import { assessesSlices, type Headline, headline, loadLines, sliceLines, validityOf } from "./generatorWords";

type GeneratorProps = {
  run: RunDetail;
  /** Series of the shown operation; undefined without time series. */
  series: TimelineSeries | undefined;
  /** One series per operation. */
  all: readonly TimelineSeries[];
  percentiles: Percentiles | null;
  reachNs: number;
  live: boolean;
};

const SIGNS: Record<Headline["tone"], { Sign: typeof IconCheck; color: string }> = {
  clear: { Sign: IconCheck, color: "var(--pass-ink)" },
  doubt: { Sign: IconWarning, color: "var(--unsure-ink)" },
  open: { Sign: IconDot, color: "var(--ink-3)" },
};
const CHART_HEIGHT = 200;

const curveOf = (percentiles: Percentiles | null, { operation, clock }: TimelineSeries): PercentileCurve | null =>
  percentiles?.curves.find((curve) => curve.operation === operation && curve.clock === clock) ?? null;

export function Generator({ run, series, all, percentiles, reachNs, live }: GeneratorProps) {
  const validity = validityOf(run);
  const operations = all.map((measured) => ({ series: measured, totals: curveOf(percentiles, measured) }));
  const columns = [sliceLines(run, validity), loadLines(run, live, operations)].filter((lines) => lines.length > 0);
  const lateLimitNs = validity?.late_limit_ns ?? null;
  const plannedNs = run.planned_duration_ns;
  const specs = useMemo(() => {
    if (series === undefined) return [];
    const span = { plannedNs, live };
    return [latenessSpec(series, span, reachNs, lateLimitNs), temperatureSpec(series, span, reachNs)].filter(
      (spec) => spec !== null,
    );
  }, [series, plannedNs, live, reachNs, lateLimitNs]);
  return (
    <Section
      id={GENERATOR_ID}
      title="Was the load applied?"
      note={
        assessesSlices(live, validity) ? (
          <>
            A <Term id="slice">slice</Term> is <Term id="unreliable-slice">unreliable</Term> where the{" "}
            <Term id="late-generator">load generator itself was late</Term> or short of processor time. Unreliable
            slices cannot prove a FAIL; a PASS stands, since lateness only adds to latencies.
          </>
        ) : null
      }
      className="stack-12 anchored panel"
    >
      {headline(run, live, validity).map(({ tone, text }) => {
        const { Sign, color } = SIGNS[tone];
        return (
          <p key={text} className="with-icon" style={{ maxWidth: "96ch" }}>
            <Sign size={16} color={color} />
            <strong>{sentence(text).replace(/\.$/, "")}.</strong>
          </p>
        );
      })}
      {columns.length === 0 ? null : (
        <div className="charts" style={{ rowGap: 4 }}>
          {columns.map((lines) => (
            <Lines key={lines[0]?.name} lines={lines} />
          ))}
        </div>
      )}
      {specs.length === 0 ? null : (
        <div className="charts">
          {specs.map((spec) => (
            <ChartFigure key={spec.title} spec={spec} height={CHART_HEIGHT} fileSuffix={run.run_id.slice(-8)} />
          ))}
        </div>
      )}
    </Section>
  );
}

function Lines({ lines }: { lines: readonly Line[] }) {
  return (
    <Facts>
      {lines.map(({ name, value }) => (
        <Fact key={name} name={name}>
          {value.text ?? <span className="dim">unknown: {value.reason}</span>}
        </Fact>
      ))}
    </Facts>
  );
}
