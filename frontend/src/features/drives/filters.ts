// Labels of the filters and their values, and the filters in use.

import { evidenceName, generationName, metricName, overProvisioningName } from "@/entities/drive/ratings";
import { formatInteger } from "@/lib/format";
import {
  type DrivesChange,
  type DrivesSearch,
  LIST_FILTERS,
  type ListFilter,
  shownText,
  TYPED_FILTERS,
  toggled,
  valuesOf,
  writeList,
} from "./address";

const asIs = (value: string): string => value;

/** Returns the value, or `not stated`, which is a value of its own. */
const orUnstated = (value: string): string => (value === "unstated" || value === "" ? "not stated" : value);

export const FILTER_WORDS: Record<ListFilter, { readonly title: string; readonly name: (value: string) => string }> = {
  vendor: { title: "Vendor", name: asIs },
  interface: { title: "Interface", name: orUnstated },
  form_factor: { title: "Form factor", name: orUnstated },
  op: { title: "Over-provisioning", name: overProvisioningName },
  metric: { title: "What was timed", name: metricName },
  generation: { title: "Tool", name: generationName },
  evidence: { title: "Evidence", name: evidenceName },
};

/** Filters that together select a set of conditions, each with one value. */
const CONDITION_FILTERS = ["metric", "op", "generation"] as const satisfies readonly ListFilter[];

export const SCOPES = [
  { value: "all", label: "all" },
  { value: "public", label: "public" },
  { value: "mine", label: "my own" },
] as const;

export type Chip = {
  readonly key: string;
  readonly text: string;
  /** Change of the address that removes the filter. */
  readonly without: DrivesChange;
};

const isCondition = (filter: ListFilter): boolean => CONDITION_FILTERS.some((condition) => condition === filter);

/** Returns whether the address names the set of conditions, instead of leaving the choice to the API. */
export const choosesConditions = (search: DrivesSearch): boolean =>
  search.equal !== "no" && CONDITION_FILTERS.every((filter) => valuesOf(search, filter).length === 1);

/** Returns whether all rows are in one table: on request, or if the question names equal conditions or an order. */
export const showsTable = (search: DrivesSearch): boolean =>
  search.view === "table" || search.equal === "no" || search.sort !== undefined || choosesConditions(search);

/** Returns the filters in use, each with the change that removes it; a chosen set of conditions is shown elsewhere. */
export function chipsOf(search: DrivesSearch): Chip[] {
  const hidden = choosesConditions(search);
  const lists = LIST_FILTERS.filter((filter) => !(hidden && isCondition(filter))).flatMap((filter) => {
    const values = valuesOf(search, filter);
    return values.map(
      (value): Chip => ({
        key: `${filter} ${value}`,
        text: `${FILTER_WORDS[filter].title}: ${FILTER_WORDS[filter].name(value)}`,
        without: { [filter]: writeList(toggled(values, value)) },
      }),
    );
  });
  const typed = TYPED_FILTERS.filter((key) => search[key] !== undefined).map(
    (key): Chip => ({ key, text: TYPED_WORDS[key](shownText(search, key)), without: { [key]: undefined } }),
  );
  const chip = (key: "scope" | "failed", text: string): Chip[] =>
    search[key] === undefined ? [] : [{ key, text, without: { [key]: undefined } }];
  const scope = SCOPES.find(({ value }) => value === search.scope)?.label ?? search.scope;
  return [...lists, ...typed, ...chip("failed", "Tested to failure"), ...chip("scope", `Shown: ${scope}`)];
}

const TYPED_WORDS: Record<(typeof TYPED_FILTERS)[number], (text: string) => string> = {
  capacity_min: (text) => `Capacity: ${text} or more`,
  capacity_max: (text) => `Capacity: ${text} or less`,
  price_max: (text) => `Price: ${text} or less`,
  year_min: (text) => `Tested in ${text} or later`,
  dwpd_min: (text) => `DWPD: ${text} or more`,
  load_min: (text) => `Holds ${text.replace(/x$/i, "")}x or more`,
  search: (text) => `Named “${text}”`,
};

/** Change that removes every filter, including the conditions. */
export const NO_FILTERS: DrivesChange = {
  ...Object.fromEntries([...LIST_FILTERS, ...TYPED_FILTERS].map((key) => [key, undefined])),
  scope: undefined,
  failed: undefined,
};

/** Returns the number of rows that pass the filters and conditions: `37 of 85 rows`. */
export const countText = (total: number, unfiltered: number): string =>
  total === unfiltered
    ? `${formatInteger(total)} ${total === 1 ? "row" : "rows"}`
    : `${formatInteger(total)} of ${formatInteger(unfiltered)} rows`;
