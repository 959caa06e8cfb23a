// What the address of a drive's page says: the rules it is judged by, what the load curve shows, and what it is compared with.
import { DEFAULT_RULE_SET } from "@/api/drivePage";
import { compact, type RawSearch, text } from "@/lib/search";

export type DriveSearch = {
  /** Rule set by name; the default is left out. */
  rules?: string;
  /** Threshold of the load curve in ns. */
  over?: number;
  /** A test of this drive, to be compared. */
  test?: string;
  /** Slug of the drive it is compared with. */
  with?: string;
};

/** What is to change in it; undefined takes away. */
export type DriveChange = { [Key in keyof DriveSearch]?: DriveSearch[Key] | undefined };

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
