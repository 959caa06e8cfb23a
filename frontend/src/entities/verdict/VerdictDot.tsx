// Mark of a verdict in a drawing: a square for a FAIL, otherwise a circle, so that the shape repeats the colour.
import type { VerdictWord } from "./words";

export function VerdictDot({ verdict, x, y }: { verdict: VerdictWord | null; x: number | string; y: number }) {
  const mark = { className: "verdict-dot", "data-verdict": verdict ?? "INDETERMINATE" };
  return verdict === "FAIL" ? (
    <rect {...mark} x={x} y={y - 4} width={8} height={8} transform="translate(-4 0)" />
  ) : (
    <circle {...mark} cx={x} cy={y} r={4} />
  );
}
