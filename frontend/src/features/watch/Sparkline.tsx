// Verdicts on the latest runs, one mark each: high for PASS, low for FAIL, a dashed ring between them for undecided.
import type { Watch } from "@/api/watches";
import classes from "./Watch.module.css";

const STEP = 12;
const HEIGHT = 28;
const PLACES = { PASS: 7, INDETERMINATE: 14, FAIL: 21 } as const;
const WORDS = { PASS: "PASS", INDETERMINATE: "undecided", FAIL: "FAIL" } as const;

export function Sparkline({ results }: { results: Watch["results"] }) {
  const count = (verdict: keyof typeof WORDS) => results.filter((result) => result.verdict === verdict).length;
  const runs = results.length === 1 ? "run" : `${results.length} runs`;
  const label = `The latest ${runs}: ${count("PASS")} PASS, ${count("FAIL")} FAIL, ${count("INDETERMINATE")} undecided`;
  const width = Math.max(1, results.length) * STEP;
  return (
    <svg
      className={classes["spark"]}
      width={width}
      height={HEIGHT}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      role="img"
      aria-label={label}
    >
      {results.map((result, place) => {
        const [x, y] = [place * STEP + STEP / 2, PLACES[result.verdict]];
        const mark = { className: "verdict-dot", "data-verdict": result.verdict };
        return (
          <g key={result.run_id}>
            {result.verdict === "FAIL" ? (
              <rect {...mark} x={x - 4} y={y - 4} width={8} height={8} />
            ) : (
              <circle {...mark} cx={x} cy={y} r={4} />
            )}
            <title>{`${WORDS[result.verdict]}: ${result.statement}`}</title>
          </g>
        );
      })}
    </svg>
  );
}
