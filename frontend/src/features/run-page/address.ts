// What the address of a run's page says: which series its charts show, on which axis, and which part of the time the heatmap shows.
import type { ScaleChoice } from "@/charts/scales";

/** `from` and `to` are seconds since the start of the run. */
export type RunView = { operation?: string; clock?: string; scale?: ScaleChoice; from?: number; to?: number };
export type RunChange = { [Key in keyof RunView]?: RunView[Key] | undefined };
