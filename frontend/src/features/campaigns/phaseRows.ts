// Target and measurement of each phase of a campaign, per operation.
import type { CampaignPhase } from "@/api/campaigns";
import { isWorkedOut } from "@/api/queries";
import type { Figures } from "@/api/types";
import { operationName } from "@/entities/run/words";
import { NS_PER_SECOND } from "@/lib/format";

type Ends = { readonly lower: number; readonly upper: number | null };

export type PhaseRow = {
  readonly operation: string;
  readonly name: string;
  /** Target rate in operations per second; null: as fast as the server answers; undefined: no target of its own. */
  readonly target: number | null | undefined;
  /** Measured rate in operations per second; null without a measurement. */
  readonly achieved: number | null;
  readonly p99: Ends | null;
  /** Clock that p99 was measured by; null if unknown. */
  readonly clock: string | null;
  /** Operations of all agents, including failed and late operations; null if unknown. */
  readonly count: number | null;
  /** Share of the operations that failed or were late; null if unknown. */
  readonly missRatio: number | null;
};

const TRANSACTION = "transaction";

export type PhaseTargets = Pick<CampaignPhase, "operations_per_s" | "transactions_per_s">;

/** Returns the operations that the phase is about: its transactions, otherwise those that its plan asks for, otherwise
 * all. Parts of others, such as the read of a read-modify-write, are recorded too and would be counted twice. */
export function leadingOperations<Measured extends { operation: string }>(
  { operations_per_s, transactions_per_s }: PhaseTargets,
  measured: readonly Measured[],
): readonly Measured[] {
  const names = transactions_per_s === null ? Object.keys(operations_per_s) : [TRANSACTION];
  const leading = measured.filter(({ operation }) => names.includes(operation));
  return leading.length === 0 ? measured : leading;
}

export const nounOf = (leading: readonly { operation: string }[]): "transactions" | "operations" =>
  leading[0]?.operation === TRANSACTION ? "transactions" : "operations";

/** Returns a row per operation, transactions first, then by name; by response time if recorded. */
export function phaseRows(phase: PhaseTargets, figures: Figures | undefined): PhaseRow[] {
  const planned = [
    ...(phase.transactions_per_s === null ? [] : [TRANSACTION]),
    // A ladder plans no updates in some of its phases.
    ...Object.entries(phase.operations_per_s).flatMap(([operation, rate]) => (rate === 0 ? [] : [operation])),
  ];
  const measured = figures?.operations.map(({ operation }) => operation) ?? [];
  const order = (operation: string): string => (operation === TRANSACTION ? "" : operation);
  const operations = [...new Set([...planned, ...measured])].sort((a, b) => order(a).localeCompare(order(b)));
  return operations.map((operation) => {
    const ofIt = figures?.operations.filter((candidate) => candidate.operation === operation) ?? [];
    const own = isWorkedOut(figures) ? (ofIt.find(({ clock }) => clock === "response") ?? ofIt[0]) : undefined;
    const figure = (quantity: string): Ends | null =>
      own?.figures.find((candidate) => candidate.quantity === quantity) ?? null;
    const missRatio = figure("miss_ratio")?.lower ?? null;
    return {
      operation,
      name: operationName(operation),
      target: operation === TRANSACTION ? phase.transactions_per_s : phase.operations_per_s[operation],
      achieved:
        !own || own.samples === null || own.measured_ns === 0
          ? null
          : (own.samples * (1 - (missRatio ?? 0)) * NS_PER_SECOND) / own.measured_ns,
      p99: figure("latency_p99_ns"),
      clock: own?.clock ?? null,
      count: own?.samples ?? null,
      missRatio,
    };
  });
}
