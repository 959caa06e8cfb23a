// Search parameters of the SLA page. Values keep their typed text, so that an unreadable value can be explained;
// unknown display options are dropped.
import { MAY_BE_EMPTY, TRANSACTION_KEYS } from "@/entities/question/address";
import { type Change, compact, oneOf, type RawSearch, type Typed, typed } from "@/lib/search";
import type { Draft } from "@/ui/useDraft";

/** Value of `from` for the distribution pasted into this browser tab, which is too long for an address. */
export const PASTED = "pasted";

const TYPED = [
  ...TRANSACTION_KEYS,
  "overhead",
  "also",
  "limits",
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
  /** Filter of the listed subjects: the reader's runs, drives or servers; undefined: all. */
  claims?: "hidden" | "drives" | "servers";
};

const LONGEST: Partial<Record<TypedKey, number>> = { also: 800, limits: 400 };
const LONGEST_TYPED = 100;

export function slaSearch(raw: RawSearch): SlaSearch {
  const fields = Object.fromEntries(
    TYPED.map((key) => [
      key,
      typed(raw[key], {
        longest: LONGEST[key] ?? LONGEST_TYPED,
        mayBeEmpty: key === "tps" || key === "limits" || MAY_BE_EMPTY.has(key),
      }),
    ]),
  );
  return compact({
    ...(fields as { [Key in TypedKey]: Typed | undefined }),
    from: oneOf(raw["from"], [PASTED]),
    scale: oneOf(raw["scale"], ["linear", "log"]),
    claims: oneOf(raw["claims"], ["hidden", "drives", "servers"]),
  }) as SlaSearch;
}

export type SlaChange = Change<SlaSearch>;
export type SlaDraft = Draft<SlaSearch>;

/** Returns the text of a field from the address, or the default. */
export const shownText = (search: SlaSearch, key: TypedKey, otherwise = ""): string => String(search[key] ?? otherwise);
