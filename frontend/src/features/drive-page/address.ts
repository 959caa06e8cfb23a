// What the address of a drive's page says: the rules it is judged by, what the load curve shows, and what it is compared with.
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
