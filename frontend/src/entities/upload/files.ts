// Files that a person chooses or drops, and how far the runs of this tab had come before.
import type { QueryClient } from "@tanstack/react-query";
import type { Upload } from "@/api/types";
import { uploadKeys } from "@/api/uploads";
import type { Reach } from "./transfers";

/** Operating systems put these into folders by themselves. */
const SYSTEM_FILES = [".DS_Store", "Thumbs.db", "desktop.ini"];

export const withoutSystemFiles = (files: Iterable<File>): File[] =>
  [...files].filter((file) => !SYSTEM_FILES.includes(file.name) && !file.name.startsWith("._"));

/** Return the measured time of each run that this tab has shown. */
export function knownReach(queries: QueryClient): Map<string, Reach> {
  const reaches = new Map<string, Reach>();
  for (const [, upload] of queries.getQueriesData<Upload>({ queryKey: [...uploadKeys.all, "one"] })) {
    for (const run of upload?.runs ?? [])
      reaches.set(run.run_id, { title: run.title, measuredNs: run.measured_duration_ns });
  }
  return reaches;
}
