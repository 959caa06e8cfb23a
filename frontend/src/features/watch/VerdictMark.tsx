// Mark of a verdict in a drawing: a square for a FAIL, otherwise a circle.
import type { VerdictWord } from "@/api/types";

export function VerdictMark({ verdict, x, y }: { verdict: VerdictWord; x: number; y: number }) {
  const mark = { className: "verdict-dot", "data-verdict": verdict };
  return verdict === "FAIL" ? (
    <rect {...mark} x={x - 4} y={y - 4} width={8} height={8} />
  ) : (
    <circle {...mark} cx={x} cy={y} r={4} />
  );
}
