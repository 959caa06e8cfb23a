// Validation of the comparison page's search parameters.
import type { CompareSearch } from "@/features/compare/address";
import { TEMPLATE_NAMES } from "@/features/compare/address";
import { compact, oneOf, type RawSearch, text } from "@/lib/search";

export function compareSearch(raw: RawSearch): CompareSearch {
  return compact({
    of: text(raw["of"], 2_000),
    operation: text(raw["operation"], 100),
    phase: text(raw["phase"], 200),
    load: Number(raw["load"]) > 0 ? Number(raw["load"]) : undefined,
    chain: text(raw["chain"], 36),
    template: oneOf(raw["template"], TEMPLATE_NAMES),
    operations: Number(raw["operations"]) > 0 ? Number(raw["operations"]) : undefined,
    scale: oneOf(raw["scale"], ["linear", "log"]),
  });
}
