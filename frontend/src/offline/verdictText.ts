// Renders the shares of an answer, and its limits as a table.
import { formatCount, formatInteger, formatLatency } from "@/lib/format";
import { shareText } from "@/lib/shares";
import { table } from "./elements";
import type { LimitRow } from "./judge";
import type { Scope } from "./words";

export function scopesText(observed: Scope, proven: Scope, objective: number | null, isCounted: boolean): string {
  const text = (scope: Scope): string => {
    const word = scope.verdict === "INDETERMINATE" ? "undecided" : scope.verdict;
    if (scope.lower === null || scope.upper === null) return word;
    return `${word}: ${shareText(scope.lower, scope.upper, { limit: objective, counted: isCounted })}`;
  };
  return `This run ${text(observed)} · for the next run ${text(proven)}`;
}

export function limitTable(rows: readonly LimitRow[]): HTMLElement {
  return table(
    ["Limit", "Took so long or longer", "Share", "With 95\u00a0% confidence"],
    rows.map(({ operation, clock, limit, over, total, effective, observed, proven }) => {
      const allowed = limit.kind === "exceedance" ? limit.ratio : 1 - limit.quantile;
      const counts =
        over.lower === over.upper
          ? formatInteger(over.lower)
          : `${formatInteger(over.lower)} to ${formatInteger(over.upper)}`;
      const worth = effective < total ? `, worth ${formatCount(effective)} independent ones` : "";
      return [
        `${operation}, ${clock} time: ${formatLatency(limit.threshold_ns)}`,
        `${counts} of ${formatInteger(total)}${worth}`,
        shareText(observed.lower, observed.upper, { limit: allowed }),
        shareText(proven.lower, proven.upper, { limit: allowed }),
      ];
    }),
  );
}
