// Leaderboard rows as cards for narrow screens: rating, rank, and the loads as a strip.
import { Checkbox, Group } from "@mantine/core";
import { CellSign } from "@/entities/drive/CellSign";
import { Rank } from "@/entities/drive/Rank";
import { loadText, originText, ratingMeaning, ratingText, rowName } from "@/entities/drive/ratings";
import { MoreButton, type Pages } from "@/ui/states";
import { Unknown } from "@/ui/Value";
import { cellName } from "./cellWords";
import { DriveName } from "./DriveName";
import { pickOf, type RowsView } from "./shortlist";

export function Cards({ rows, picks, full, mixed, measure, onPick, pages }: RowsView & { pages: Pages }) {
  return (
    <>
      <ul className="stack-8 plain-list" aria-label="Drives">
        {rows.map((row) => {
          const interval = ratingText(row.rating);
          const picked = picks.includes(pickOf(row));
          return (
            <li
              key={row.row_id}
              className="card stack-8"
              style={{
                padding: 12,
                borderColor: picked ? "var(--accent)" : undefined,
                // Cards far below are not laid out until they come near.
                contentVisibility: "auto",
                containIntrinsicSize: "auto 176px",
              }}
            >
              <Group justify="space-between" align="start" wrap="nowrap" gap={12}>
                <DriveName row={row} mixed={mixed} />
                <Checkbox
                  className="no-print"
                  size="sm"
                  checked={picked}
                  disabled={full && !picked}
                  onChange={() => onPick(pickOf(row))}
                  aria-label={`Put ${rowName(row)} on the shortlist`}
                />
              </Group>
              <dl style={{ display: "grid", gridTemplateColumns: "minmax(0, 3fr) minmax(0, 2fr)", gap: 12 }}>
                <div>
                  <dt className="smaller">Rating</dt>
                  <dd className="medium strong">
                    {interval ?? <Unknown reason="no test of it decides anything under these rules" />}
                  </dd>
                  <dd className="dim">{interval === null ? "" : ratingMeaning(row.rating)}</dd>
                </div>
                <div>
                  <dt className="smaller">Rank</dt>
                  <dd className="medium strong">
                    <Rank row={row} />
                  </dd>
                </div>
              </dl>
              <p className="dim">{originText(row)}</p>
              <ul className="plain-list wrap smaller" aria-label="Loads">
                {row.cells
                  .filter((cell) => cell.state !== "untested")
                  .map((cell) => (
                    <li key={cell.load} className="stack-2" style={{ justifyItems: "center" }}>
                      <span aria-hidden="true">{loadText(cell.load)}</span>
                      <CellSign state={cell.state} silent />
                      <span className="visually-hidden">{cellName(cell, measure)}</span>
                    </li>
                  ))}
              </ul>
            </li>
          );
        })}
      </ul>
      <MoreButton pages={pages} className="self-center">
        Show more
      </MoreButton>
    </>
  );
}
