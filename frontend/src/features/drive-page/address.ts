// Search parameters of a drive's page: rule set, load curve, and compared drive.
import type { Change } from "@/lib/search";

export type DriveSearch = {
  /** Name of the rule set; undefined: the default. */
  rules?: string;
  /** Threshold of the load curve in nanoseconds. */
  over?: number;
  /** Id of the test of this drive that is compared. */
  test?: string;
  /** Slug of the drive that it is compared with. */
  with?: string;
};

export type DriveChange = Change<DriveSearch>;
