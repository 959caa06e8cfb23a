// What the address of the page says, as it was written: what cannot be read stays there, so that the page can say so beside
// the field. Only choices of how things are shown are dropped when they are not known.
import { type Change, compact, oneOf, plainOf, type RawSearch, type Typed } from "@/lib/search";
import type { Draft } from "@/ui/useDraft";

export const GROUPS = ["meets", "undecided", "misses"] as const;
export type Group = (typeof GROUPS)[number];

export const SORT_FIELDS = ["name", "share", "room", "largest"] as const;
export type SortField = (typeof SORT_FIELDS)[number];
export type SortKey = SortField | `-${SortField}`;
const SORT_KEYS: readonly SortKey[] = SORT_FIELDS.flatMap((field): SortKey[] => [field, `-${field}`]);

/** The distribution that was pasted into this browser tab; it is too long for an address. */
export const PASTED = "pasted";

const TYPED = [
  "reads",
  "fan",
  "sched",
  "window",
  "reserve",
  "objective",
  "overhead",
  "also",
  "budget",
  "run",
  "op",
  "clock",
  "tps",
  "headroom",
  "spare",
  "copies",
  "writes",
  "nodewrites",
  "data",
  "disk",
  "fill",
] as const;
export type TypedKey = (typeof TYPED)[number];

export type SlaSearch = { [Key in TypedKey]?: Typed } & {
  from?: typeof PASTED;
  scale?: "linear" | "log";
  show?: Group;
  sort?: SortKey;
  /** Only what was measured here; else published figures are judged too. */
  claims?: "hidden";
};

export type SlaChange = Change<SlaSearch>;
export type SlaDraft = Draft<SlaSearch>;

const LONGEST: Partial<Record<TypedKey, number>> = { also: 800 };
const LONGEST_TYPED = 100;

/** Fields with a default: emptied, they stay empty and say what is missing, instead of filling themselves again. */
const MAY_BE_EMPTY: ReadonlySet<TypedKey> = new Set(["reads", "fan", "window", "reserve", "objective", "tps"]);

function typed(raw: unknown, key: TypedKey): Typed | undefined {
  if (raw === undefined) return undefined;
  const text = (typeof raw === "object" ? JSON.stringify(raw) : String(raw)).trim();
  if (text === "") return MAY_BE_EMPTY.has(key) ? "" : undefined;
  return plainOf(text.slice(0, LONGEST[key] ?? LONGEST_TYPED).trim());
}

export function slaSearch(raw: RawSearch): SlaSearch {
  const fields = Object.fromEntries(TYPED.map((key) => [key, typed(raw[key], key)]));
  return compact({
    ...(fields as { [Key in TypedKey]: Typed | undefined }),
    from: oneOf(raw["from"], [PASTED]),
    scale: oneOf(raw["scale"], ["linear", "log"]),
    show: oneOf(raw["show"], GROUPS),
    sort: oneOf(raw["sort"], SORT_KEYS),
    claims: oneOf(raw["claims"], ["hidden"]),
  }) as SlaSearch;
}

/** What a field shows: what the address says, else the default. */
export const shownText = (search: SlaSearch, key: TypedKey, otherwise = ""): string => String(search[key] ?? otherwise);
