// Renders withdrawn tests: drive, load, date and reason. Their results are not shown.
import type { WithdrawnTest } from "@/api/types";
import { formatMoment } from "@/lib/format";
import { DriveLink } from "@/ui/links";
import { driveName, loadText } from "./ratings";

export function Withdrawn({ tests, named = true }: { tests: readonly WithdrawnTest[]; named?: boolean }) {
  if (tests.length === 0) return null;
  return (
    <section aria-label="Withdrawn tests">
      <h2>Withdrawn</h2>
      <p className="dim">These tests were public. Their owners took them back, so they count for nothing.</p>
      <ul>
        {tests.map((test) => (
          <li key={`${test.run_id ?? test.publication_slug} ${test.load} ${test.drive.slug}`}>
            {named ? <DriveLink slug={test.drive.slug}>{driveName(test.drive)}</DriveLink> : null} at{" "}
            {loadText(test.load)}
            {test.withdrawn_at === null ? "" : `, withdrawn on ${formatMoment(test.withdrawn_at)}`}
            {test.reason === null ? "" : `: ${test.reason}`}
          </li>
        ))}
      </ul>
    </section>
  );
}
