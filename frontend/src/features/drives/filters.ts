// The filters in the words of the reader: what each is called, what its values mean, and which of them are at work.

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

/** A value that the catalogue does not have is a value of its own. */
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

/** Together they make up a class of conditions; with equal conditions there is one value of each. */
const CONDITION_FILTERS = ["metric", "op", "generation"] as const satisfies readonly ListFilter[];

export const SCOPES = [
  { value: "all", label: "all" },
  { value: "public", label: "public" },
  { value: "mine", label: "my own" },
] as const;

export type Chip = {
  readonly key: string;
  readonly text: string;
  /** What takes it away. */
  readonly without: DrivesChange;
};

const isCondition = (filter: ListFilter): boolean => CONDITION_FILTERS.some((condition) => condition === filter);

/** Whether the address names the class of conditions that is shown, instead of leaving it to the data. */
export const choosesConditions = (search: DrivesSearch): boolean =>
  search.equal !== "no" && CONDITION_FILTERS.every((filter) => valuesOf(search, filter).length === 1);

/** Whether rows are in one table; a question about one class of conditions or an order needs a table. */
export const showsTable = (search: DrivesSearch): boolean =>
  search.view === "table" || search.equal === "no" || search.sort !== undefined || choosesConditions(search);

/** The filters at work, each with what takes it away. A chosen class of conditions is shown with the conditions. */
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
  const scope = SCOPES.find(({ value }) => value === search.scope);
  const scopes: Chip[] =
    search.scope === undefined
      ? []
      : [{ key: "scope", text: `Shown: ${scope?.label ?? String(search.scope)}`, without: { scope: undefined } }];
  const failed: Chip[] =
    search.failed === undefined ? [] : [{ key: "failed", text: "Tested to failure", without: { failed: undefined } }];
  return [...lists, ...typed, ...failed, ...scopes];
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

/** Takes every filter away, the class of conditions too. */
export const NO_FILTERS: DrivesChange = {
  ...Object.fromEntries([...LIST_FILTERS, ...TYPED_FILTERS].map((key) => [key, undefined])),
  scope: undefined,
  failed: undefined,
};

/** `37 of 85 rows`: the rows that pass the filters and the conditions. */
export const countText = (total: number, unfiltered: number): string =>
  total === unfiltered
    ? `${formatInteger(total)} ${total === 1 ? "row" : "rows"}`
    : `${formatInteger(total)} of ${formatInteger(unfiltered)} rows`;
