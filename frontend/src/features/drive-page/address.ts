// Search parameters of a drive's page: rule set, load curve, and compared drive.
import { DEFAULT_RULE_SET } from "@/api/drivePage";
import { type Change, compact, type RawSearch, text } from "@/lib/search";

export function driveSearch(raw: RawSearch) {
  const rules = text(raw["rules"], 100);
  const over = Number(raw["over"]);
  return compact({
    /** Name of the rule set; undefined: the default. */
    rules: rules === DEFAULT_RULE_SET ? undefined : rules,
    /** Threshold of the load curve in nanoseconds. */
    over: Number.isSafeInteger(over) && over > 0 ? over : undefined,
    /** Id of the test of this drive that is compared. */
    test: text(raw["test"], 200),
    /** Slug of the drive that it is compared with. */
    with: text(raw["with"], 200),
  });
}

export type DriveSearch = ReturnType<typeof driveSearch>;
export type DriveChange = Change<DriveSearch>;
