// Validation of the leaderboard's search parameters.

import { MAY_BE_EMPTY } from "@/entities/question/address";
import { DEFAULT_SORT, type DrivesSearch, SEPARATOR, SORT_KEYS, TYPED, type TypedKey } from "@/features/drives/address";
import { compact, oneOf, type RawSearch, type Typed, typed } from "@/lib/search";

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
