// Tests that were public and are withdrawn: which drive, which load, when and why. Nothing of their figures.
import { Link } from "@tanstack/react-router";
import type { WithdrawnTest } from "@/api/types";
import { formatMoment } from "@/lib/format";
import { driveName, loadText } from "./ratings";

type WithdrawnProps = { tests: readonly WithdrawnTest[]; named?: boolean };

export function Withdrawn({ tests, named = true }: WithdrawnProps) {
  if (tests.length === 0) return null;
  return (
    <section aria-label="Withdrawn tests">
      <h2>Withdrawn</h2>
      <p className="dim">These tests were public. Their owners took them back, so they count for nothing.</p>
      <ul>
        {tests.map((one) => (
          <li key={`${one.run_id ?? one.publication_slug} ${one.load} ${one.drive.slug}`}>
            {named ? (
              <Link to="/drives/$slug" params={{ slug: one.drive.slug }}>
                {driveName(one.drive)}
              </Link>
            ) : null}{" "}
            at {loadText(one.load)}
            {one.withdrawn_at === null ? "" : `, withdrawn on ${formatMoment(one.withdrawn_at)}`}
            {one.reason === null ? "" : `: ${one.reason}`}
          </li>
        ))}
      </ul>
    </section>
  );
}
