// The address of the page, as it was written: an unreadable value stays there, so that the page can explain it beside
// the field. Only choices of how things are shown are dropped when they are not known.
import { TRANSACTION_KEYS } from "@/entities/question/address";
import type { Change, Typed } from "@/lib/search";
import type { Draft } from "@/ui/useDraft";

/** The distribution that was pasted into this browser tab; it is too long for an address. */
export const PASTED = "pasted";

export const TYPED = [
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
  /** Only what was measured here; else published figures are judged too. */
  claims?: "hidden" | "drives" | "servers";
};

export type SlaChange = Change<SlaSearch>;
export type SlaDraft = Draft<SlaSearch>;

/** The text of a field: from the address, else the default. */
export const shownText = (search: SlaSearch, key: TypedKey, otherwise = ""): string => String(search[key] ?? otherwise);
