// Search parameters of the leaderboard: question, filters, order and shortlist. Values keep their typed text, so that
// an unreadable value can be explained; unknown display options are dropped.
import type { ColumnSort } from "@tanstack/react-table";
import { MAY_BE_EMPTY, TRANSACTION_KEYS } from "@/entities/question/address";
import { type Change, compact, oneOf, plainOf, type RawSearch, type Typed, typed } from "@/lib/search";
import type { Draft } from "@/ui/useDraft";

/** Filters of several values: `vendor=Intel*Samsung`. A star needs no escape in an address and occurs in no value. */
export const LIST_FILTERS = ["vendor", "interface", "form_factor", "op", "metric", "generation", "evidence"] as const;
export type ListFilter = (typeof LIST_FILTERS)[number];

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

const TYPED = [
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
type TypedKey = (typeof TYPED)[number];

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
type SortField = (typeof SORT_FIELDS)[number];
export type SortKey = SortField | `-${SortField}`;
export const SORT_KEYS: readonly SortKey[] = SORT_FIELDS.flatMap((field): SortKey[] => [field, `-${field}`]);
export const DEFAULT_SORT: SortKey = "rating";

/** Returns the sorting state of a sort key: `rating` is descending and others ascending, a minus reverses them. */
export function sortingOf(sort: SortKey): ColumnSort[] {
  const id = sort.replace("-", "");
  return [{ id, desc: sort.startsWith("-") !== (id === "rating") }];
}

export const sortKeyOf = ({ id, desc }: ColumnSort): SortKey => (desc === (id === "rating") ? id : `-${id}`) as SortKey;

export type DrivesSearch = { [Key in TypedKey]?: Typed } & {
  /** `no`: show rows of different conditions in one table. */
  equal?: "no";
  /** `yes`: show only rows with a failed load. */
  failed?: "yes";
  sort?: SortKey;
  compare?: "open" | "differences";
  /** Name of a past quarter's board, which has no filters: `2026-Q4`. */
  edition?: string;
  /** `table`: show a table of one set of conditions instead of all drives in groups. */
  view?: "table";
};

export type DrivesChange = Change<DrivesSearch>;
export type DrivesDraft = Draft<DrivesSearch>;

const SEPARATOR = "*";

const LONGEST: Partial<Record<TypedKey, number>> = { pick: 2_000, vendor: 2_000, columns: 400, limits: 400 };
const EDITION = /^20\d\d-Q[1-4]$/;
const LONGEST_TYPED = 400;

/** Returns repeated parameters as one list: `vendor=Intel&vendor=Samsung` becomes `vendor=Intel*Samsung`. */
const joined = (raw: unknown): unknown => (Array.isArray(raw) ? raw.map(String).join(SEPARATOR) : (raw ?? undefined));

export function drivesSearch(raw: RawSearch): DrivesSearch {
  const fields = Object.fromEntries(
    TYPED.map((key) => [
      key,
      typed(joined(raw[key]), {
        longest: LONGEST[key] ?? LONGEST_TYPED,
        mayBeEmpty: key === "limits" || MAY_BE_EMPTY.has(key),
      }),
    ]),
  );
  const sort = oneOf(raw["sort"], SORT_KEYS);
  return compact({
    ...(fields as { [Key in TypedKey]: Typed | undefined }),
    equal: oneOf(String(raw["equal"] ?? ""), ["no", "false"]) === undefined ? undefined : "no",
    failed: oneOf(raw["failed"], ["yes"]),
    sort: sort === DEFAULT_SORT ? undefined : sort,
    compare: oneOf(raw["compare"], ["open", "differences"]),
    view: oneOf(raw["view"], ["table"]),
    edition: EDITION.test(String(raw["edition"] ?? "")) ? String(raw["edition"]) : undefined,
  }) as DrivesSearch;
}

/** Returns the distinct values of a list in the address. */
export function listOf(text: Typed | undefined): string[] {
  const parts = String(text ?? "")
    .split(SEPARATOR)
    .map((part) => part.trim())
    .filter((part) => part !== "");
  return [...new Set(parts)];
}

/** Returns the values that a filter accepts; empty: all. */
export const valuesOf = (search: DrivesSearch, filter: ListFilter): string[] =>
  listOf(search[filter]).map((value) => spelled(filter, value));

/** Restores the plus of `6+`: a plus in an address decodes to a blank, so that the value arrives as `6`. */
const spelled = (filter: ListFilter, value: string): string =>
  filter === "generation" && value === "6" ? "6+" : value;

/** Returns a list as a parameter; undefined if it is empty. */
export const writeList = (values: readonly string[]): Typed | undefined =>
  values.length === 0 ? undefined : plainOf(values.join(SEPARATOR));

/** Returns the values with the given value added, or removed if present. */
export const toggled = (values: readonly string[], value: string): string[] =>
  values.includes(value) ? values.filter((candidate) => candidate !== value) : [...values, value];

/** Returns the text of a field from the address, or the default. */
export const shownText = (search: DrivesSearch, key: TypedKey, otherwise = ""): string =>
  String(search[key] ?? otherwise);
