// Target and measurement of each phase of a campaign, operation by operation.
import type { CampaignPhase } from "@/api/campaigns";
import { isWorkedOut } from "@/api/queries";
import type { Figures } from "@/api/types";
import { operationName } from "@/entities/run/words";
import { NS_PER_SECOND } from "@/lib/units";

type Ends = { readonly lower: number; readonly upper: number | null };

export type PhaseRow = {
  readonly operation: string;
  readonly name: string;
  /** Operations a second; null: as fast as the server answers; undefined: not asked for by itself. */
  readonly target: number | null | undefined;
  /** Operations a second over the time that was measured; null while nothing is. */
  readonly achieved: number | null;
  readonly p99: Ends | null;
  /** By which clock p99 is. */
  readonly clock: string | null;
  /** Of all agents together, with those that failed or came too late; null where unknown. */
  readonly count: number | null;
  /** Share of these that did; null where unknown. */
  readonly missRatio: number | null;
};

const TRANSACTION = "transaction";

type Asking = Pick<CampaignPhase, "operations_per_s" | "transactions_per_s">;

function askedOf({ operations_per_s, transactions_per_s }: Asking, operation: string): number | null | undefined {
  return operation === TRANSACTION ? transactions_per_s : operations_per_s[operation];
}

/** Transactions first, then operations by their names; on response time where there is one. */
export function phaseRows(phase: Asking, figures: Figures | undefined): PhaseRow[] {
  const planned = [
    ...(phase.transactions_per_s === null ? [] : [TRANSACTION]),
    // A ladder asks for no updates in some of its phases.
    ...Object.entries(phase.operations_per_s).flatMap(([operation, rate]) => (rate === 0 ? [] : [operation])),
  ];
  const measured = figures?.operations.map(({ operation }) => operation) ?? [];
  const order = (operation: string): string => (operation === TRANSACTION ? "" : operation);
  const operations = [...new Set([...planned, ...measured])].sort((a, b) => order(a).localeCompare(order(b)));
  return operations.map((operation) => {
    const ofIt = figures?.operations.filter((candidate) => candidate.operation === operation) ?? [];
    const operationFigures = isWorkedOut(figures)
      ? (ofIt.find(({ clock }) => clock === "response") ?? ofIt[0])
      : undefined;
    const figure = (quantity: string): Ends | null =>
      operationFigures?.figures.find((candidate) => candidate.quantity === quantity) ?? null;
    const missRatio = figure("miss_ratio")?.lower ?? null;
    return {
      operation,
      name: operationName(operation),
      target: askedOf(phase, operation),
      achieved:
        !operationFigures || operationFigures.samples === null || operationFigures.measured_ns === 0
          ? null
          : (operationFigures.samples * (1 - (missRatio ?? 0)) * NS_PER_SECOND) / operationFigures.measured_ns,
      p99: figure("latency_p99_ns"),
      clock: operationFigures?.clock ?? null,
      count: operationFigures?.samples ?? null,
      missRatio,
    };
  });
}
