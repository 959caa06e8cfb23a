// Card with the evidence of a matrix cell: shares with bounds and limits, reason, and source of the tests.
import { Group, Popover } from "@mantine/core";
import type { LeaderboardCell, LeaderboardRow } from "@/api/types";
import { CellSign } from "@/entities/drive/CellSign";
import type { Measure } from "@/entities/drive/measure";
import { CELL_WORDS, driveName, loadText } from "@/entities/drive/ratings";
import classes from "./CellCard.module.css";
import { cellNotes, rowConditions, shareLines } from "./cellWords";

export type CellDetails = {
  readonly by: "pointer" | "focus";
  readonly row: LeaderboardRow;
  readonly cell: LeaderboardCell;
  /** Position and size of the cell inside its region, in pixels. */
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
};

export function CellCard({ id, peek, measure }: { id: string; peek: CellDetails | null; measure: Measure }) {
  const { left = 0, top = 0, width = 0, height = 0 } = peek ?? {};
  return (
    <Popover
      opened={peek !== null}
      withRoles={false}
      trapFocus={false}
      returnFocus={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      position="right-start"
      offset={6}
      width={340}
      // The portal is inside the page's main landmark, as all content for screen readers has to be.
      portalProps={{ target: "#main" }}
      shadow="md"
      transitionProps={{ duration: 0 }}
      middlewares={{ flip: true, shift: true }}
    >
      <Popover.Target>
        <span style={{ position: "absolute", pointerEvents: "none", left, top, width, height }} aria-hidden="true" />
      </Popover.Target>
      <Popover.Dropdown
        className="stack-6 small"
        p={12}
        bg="var(--raised)"
        lh="18px"
        style={{ pointerEvents: "none", borderColor: "var(--line)" }}
        id={id}
        role="tooltip"
      >
        {peek === null ? null : <CellFacts row={peek.row} cell={peek.cell} measure={measure} />}
      </Popover.Dropdown>
    </Popover>
  );
}

function CellFacts({ row, cell, measure }: { row: LeaderboardRow; cell: LeaderboardCell; measure: Measure }) {
  const { word, meaning } = CELL_WORDS[cell.state];
  const lines = shareLines(cell, measure);
  return (
    <>
      <Group component="p" wrap="nowrap" gap={8}>
        <CellSign state={cell.state} silent />
        <span>
          <strong>
            {loadText(cell.load)} {word}
          </strong>{" "}
          <span className="dim">{meaning}</span>
        </span>
      </Group>
      <p className="dim">
        {driveName(row.drive)} · {rowConditions(row, true)}
      </p>
      {lines.length === 0 || cell.state === "untested" ? null : (
        <table className={classes["shares"]}>
          <thead>
            <tr>
              <th scope="col">{measure.of === "reads" ? "Share of reads" : "Transactions"}</th>
              <th scope="col">Known</th>
              <th scope="col">Limit</th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <tr key={line.name}>
                <th scope="row">{line.name}</th>
                <td title={line.exact}>{line.share}</td>
                <td>{line.limit}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {cellNotes(cell, row).map((note) => (
        <p key={note}>{note}</p>
      ))}
      {cell.test_ids.length === 0 ? null : <p className="dim">Enter or a click opens the evidence.</p>}
    </>
  );
}
