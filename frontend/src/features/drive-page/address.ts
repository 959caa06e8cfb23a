// Search parameters of a drive's page: rule set, load curve, and compared drive.
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

/** Changes to the parameters; undefined removes a parameter. */
export type DriveChange = { [Key in keyof DriveSearch]?: DriveSearch[Key] | undefined };
