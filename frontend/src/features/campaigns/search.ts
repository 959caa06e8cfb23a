// Search for the highest load: conversion from the form's fields to the API's request.
import type { CampaignPlan } from "@/api/campaigns";

/** Number fields hold a string while they are empty. */
export const NO_SEARCH = {
  objective: "",
  phase: "",
  start_per_s: "" as number | string,
  top_per_s: "" as number | string,
  probe_s: 20 as number | string,
  probes: 8 as number | string,
};
export type SearchDraft = typeof NO_SEARCH;

/** Explanations of the search fields, which depend on the measured target. */
export type SearchSubject = {
  readonly example: string;
  readonly hasPhases: boolean;
  readonly start: string;
  readonly top: string;
};

export const OF_SERVERS: SearchSubject = {
  example: "p99 get < 5ms",
  hasPhases: true,
  start: "Else the rate of the plan",
  top: "Of all agents together; no load is higher",
};

const numberOr = <T>(value: number | string, otherwise: T): number | T =>
  typeof value === "number" ? value : otherwise;

/** Returns the search in the form that the API accepts; null for a null draft. */
export function searchOf(draft: SearchDraft | null): NonNullable<CampaignPlan["search"]> | null {
  if (draft === null) return null;
  return {
    objective: draft.objective.trim(),
    phase: draft.phase.trim() === "" ? null : draft.phase.trim(),
    start_per_s: numberOr(draft.start_per_s, null),
    top_per_s: numberOr(draft.top_per_s, null),
    precision: 0.05,
    probes: numberOr(draft.probes, 8),
    most_s: 1_800,
    probe_s: numberOr(draft.probe_s, 20),
    warm_up_s: 3,
  };
}
