// Files chosen or dropped for upload, and the measured time of runs before the upload.
import type { QueryClient } from "@tanstack/react-query";
import type { Upload } from "@/api/types";
import { uploadKeys } from "@/api/uploads";
import type { MeasuredTime } from "./transfers";

/** Files that operating systems add to folders. */
const SYSTEM_FILES = [".DS_Store", "Thumbs.db", "desktop.ini"];

export const withoutSystemFiles = (files: Iterable<File>): File[] =>
  [...files].filter((file) => !SYSTEM_FILES.includes(file.name) && !file.name.startsWith("._"));

/** Returns the measured time of each run of the uploads in the cache, by run id. */
export function measuredTimes(queries: QueryClient): Map<string, MeasuredTime> {
  const reaches = new Map<string, MeasuredTime>();
  for (const [, upload] of queries.getQueriesData<Upload>({ queryKey: [...uploadKeys.all, "one"] })) {
    for (const run of upload?.runs ?? [])
      reaches.set(run.run_id, { title: run.title, measuredNs: run.measured_duration_ns });
  }
  return reaches;
}
