// Validation of a drive page's search parameters.
import { DEFAULT_RULE_SET } from "@/api/drivePage";
import type { DriveSearch } from "@/features/drive-page/address";
import { compact, type RawSearch, text } from "@/lib/search";

export function driveSearch(raw: RawSearch): DriveSearch {
  const rules = text(raw["rules"], 100);
  const over = Number(raw["over"]);
  return compact({
    rules: rules === DEFAULT_RULE_SET ? undefined : rules,
    over: Number.isSafeInteger(over) && over > 0 ? over : undefined,
    test: text(raw["test"], 200),
    with: text(raw["with"], 200),
  });
}
