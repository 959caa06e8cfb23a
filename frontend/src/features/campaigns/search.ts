// Search for the highest load: conversion from the form's fields to the API's request.
import type { CampaignPlan } from "@/api/campaigns";

export type SearchDraft = {
  readonly objective: string;
  readonly phase: string;
  /** Number fields hold a string while they are empty. */
  readonly start_per_s: number | string;
  readonly top_per_s: number | string;
  readonly probe_s: number | string;
  readonly probes: number | string;
};

export const NO_SEARCH: SearchDraft = {
  objective: "",
  phase: "",
  start_per_s: "",
  top_per_s: "",
  probe_s: 20,
  probes: 8,
};

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
