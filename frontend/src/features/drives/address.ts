// The address of the leaderboard: the question, the filters, the order and the shortlist. Values stay as they
// were written, so that an unreadable value is explained instead of dropped; only choices of how things are shown are
// dropped when they are not known.
import { TRANSACTION_KEYS } from "@/entities/question/address";
import { type Change, plainOf, type Typed } from "@/lib/search";
import type { Draft } from "@/ui/useDraft";

/** Filters of several values: `vendor=Intel*Samsung`. A star needs no escape in an address, and no value has one. */
export const LIST_FILTERS = ["vendor", "interface", "form_factor", "op", "metric", "generation", "evidence"] as const;
export type ListFilter = (typeof LIST_FILTERS)[number];

/** Filters that are typed. */
export const TYPED_FILTERS = [
  "capacity_min",
  "capacity_max",
  "price_max",
  "year_min",
  "dwpd_min",
  "load_min",
  "search",
] as const;
export type TypedFilter = (typeof TYPED_FILTERS)[number];

export const TYPED = [
  "rules",
  "limits",
  "budget",
  ...TRANSACTION_KEYS,
  ...LIST_FILTERS,
  ...TYPED_FILTERS,
  "scope",
  "pick",
  "columns",
] as const;
export type TypedKey = (typeof TYPED)[number];

const SORT_FIELDS = [
  "rating",
  "drive",
  "capacity",
  "dwpd",
  "power",
  "price",
  "price_per_ktps",
  "watts_per_ktps",
  "exceedance",
] as const;
export type SortField = (typeof SORT_FIELDS)[number];
export type SortKey = SortField | `-${SortField}`;
export const SORT_KEYS: readonly SortKey[] = SORT_FIELDS.flatMap((field): SortKey[] => [field, `-${field}`]);
export const DEFAULT_SORT: SortKey = "rating";

export type DrivesSearch = { [Key in TypedKey]?: Typed } & {
  /** Rows of several conditions beside each other. */
  equal?: "no";
  /** Only rows with a load that failed. */
  failed?: "yes";
  sort?: SortKey;
  compare?: "open" | "differences";
  /** The board of a past quarter, which takes no filters: `2026-Q4`. */
  edition?: string;
  /** A table of one class of conditions, instead of all drives in groups. */
  view?: "table";
};

export type DrivesChange = Change<DrivesSearch>;
export type DrivesDraft = Draft<DrivesSearch>;

export const SEPARATOR = "*";

/** The values of a list in the address, each once. */
export function listOf(text: Typed | undefined): string[] {
  const parts = String(text ?? "")
    .split(SEPARATOR)
    .map((part) => part.trim())
    .filter((part) => part !== "");
  return [...new Set(parts)];
}

/** The values that a filter lets through; none means all. */
export const valuesOf = (search: DrivesSearch, filter: ListFilter): string[] =>
  listOf(search[filter]).map((value) => spelled(filter, value));

/** A plus that was typed into an address is read as a blank: `6+` arrives as `6`. */
const spelled = (filter: ListFilter, value: string): string =>
  filter === "generation" && value === "6" ? "6+" : value;

/** A list in the form of the address; undefined where it is empty. */
export const writeList = (values: readonly string[]): Typed | undefined =>
  values.length === 0 ? undefined : plainOf(values.join(SEPARATOR));

/** With the value added, or taken out where it is there. */
export const toggled = (values: readonly string[], value: string): string[] =>
  values.includes(value) ? values.filter((candidate) => candidate !== value) : [...values, value];

/** The text of a field: from the address, else the default. */
export const shownText = (search: DrivesSearch, key: TypedKey, otherwise = ""): string =>
  String(search[key] ?? otherwise);
