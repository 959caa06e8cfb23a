// Validation of the SLA page's search parameters.
import { MAY_BE_EMPTY } from "@/entities/question/address";
import { PASTED, type SlaSearch, TYPED, type TypedKey } from "@/features/sla/address";
import { compact, oneOf, type RawSearch, type Typed, typed } from "@/lib/search";

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
