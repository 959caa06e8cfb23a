// Search parameters of a run's page: series and scale of the charts, and the time range of the heatmap.

import type { ScaleChoice } from "@/charts/scales";
import type { Change } from "@/lib/search";

/** Shown series and scale; `from` and `to` are seconds since the start of the run. */
export type RunView = { operation?: string; clock?: string; scale?: ScaleChoice; from?: number; to?: number };
export type RunChange = Change<RunView>;
