// Board of a past quarter: its rows, and the changes since then or since the edition before.
import { Group } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { editionChangesQuery, editionQuery, editionsQuery } from "@/api/editions";
import { measureOf } from "@/entities/drive/measure";
import { driveName, formatCapacity, loadText } from "@/entities/drive/ratings";
import { Withdrawn } from "@/entities/drive/Withdrawn";
import { formatMoment, plural } from "@/lib/format";
import { QueryView } from "@/ui/states";
import { usePageTitle } from "@/ui/usePageTitle";
import classes from "./DrivesPage.module.css";
import { EditionLinks } from "./EditionLinks";
import { Groups } from "./Groups";

const NO_PICKS: readonly string[] = [];
const noop = () => undefined;

export function EditionPage({ name }: { name: string }) {
  usePageTitle(`Drives, edition ${name}`);
  const edition = useQuery(editionQuery(name));
  const editions = useQuery(editionsQuery());
  const names = (editions.data?.items ?? []).map((item) => item.name).sort();
  const before = names[names.indexOf(name) - 1];
  const board = edition.data?.board;
  const measure = useMemo(() => (board === undefined ? null : measureOf(board)), [board]);
  return (
    <div className={`stack-12 ${classes["page"]}`}>
      <Group justify="space-between" align="start" gap="8px 24px">
        <div className={classes["answer"]}>
          <p className="measure muted">Drives by the load they were tested at, as they stood then.</p>
          <h1>Edition {name}</h1>
          {edition.data === undefined ? null : (
            <p>
              {plural(edition.data.board.rows.length, "row")}, made on {formatMoment(edition.data.made_at)}. An edition
              never changes.
            </p>
          )}
          <EditionLinks current={name} />
        </div>
      </Group>
      {board === undefined || measure === null ? (
        <QueryView
          query={edition}
          what="the edition"
          lines={10}
          height={40}
          missing={<p role="alert">There is no edition {name}.</p>}
        />
      ) : (
        <>
          {before === undefined ? null : <Changes since={before} until={name} title={`New against ${before}`} />}
          <Changes since={name} until="living" title="Changed since, on the living board" />
          <Groups
            rows={board.rows}
            loads={board.loads}
            picks={NO_PICKS}
            full={false}
            measure={measure}
            onPick={null}
            onCompare={noop}
          />
          <Withdrawn tests={board.withdrawn} />
        </>
      )}
    </div>
  );
}

function Changes({ since, until, title }: { since: string; until: string; title: string }) {
  const query = useQuery(editionChangesQuery(since, until));
  if (query.data === undefined) return <QueryView query={query} what="the changes" lines={1} height={24} />;
  const { changes, withdrawn } = query.data;
  const count = changes.length + withdrawn.length;
  if (count === 0) return <p className="dim">{title}: nothing.</p>;
  return (
    <details>
      <summary>
        {title}: {plural(count, "change")}
      </summary>
      <ul aria-label={title}>
        {changes.map((change) => (
          <li key={`${change.row_id} ${change.kind}`}>
            {driveName(change.drive)}
            {change.capacity_bytes === null ? "" : ` ${formatCapacity(change.capacity_bytes)}`}: {changeText(change)}
          </li>
        ))}
        {withdrawn.map((test) => (
          <li key={`${test.run_id ?? test.publication_slug} ${test.load} ${test.drive.slug}`}>
            {driveName(test.drive)}: a test at {loadText(test.load)} was withdrawn
            {test.reason === null ? "" : `: ${test.reason}`}
          </li>
        ))}
      </ul>
    </details>
  );
}

type ChangeLike = { readonly before: string | null; readonly after: string | null };

/** Returns a change as text: `holds 3x → holds 6x`; added and removed rows have one side. */
export function changeText({ before, after }: ChangeLike): string {
  if (before === null) return `new, ${after ?? ""}`;
  return after === null ? `gone, ${before}` : `${before} → ${after}`;
}
