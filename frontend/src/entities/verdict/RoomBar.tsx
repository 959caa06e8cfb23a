// Renders reads, room left, reserve and deadline in this order, on the scale of the window. Solid: least time of the
// reads; light: up to their greatest time; tinted: room left; hatched: reserve for scoring.
import type { CSSProperties } from "react";

import { linearTicks } from "@/charts/scales";
import { formatExactLatency, formatLatencyInterval } from "@/lib/format";
import { allowedNs, type Room, roomEnds, roomText, usedText } from "./answer";
import classes from "./RoomBar.module.css";

type RoomBarProps = {
  room: Room;
  /** `hero` adds the numbers above and a scale below. */
  size?: "hero" | "row";
};

const TONES = { PASS: "pass", FAIL: "fail", INDETERMINATE: "unsure" } as const;

const hatching = (ground: string, lines: string) =>
  `repeating-linear-gradient(135deg, ${lines} 0 1.5px, ${ground} 1.5px 7px)`;

export function RoomBar({ room, size = "row" }: RoomBarProps) {
  const { windowNs, usedLowerNs: lower, usedUpperNs: upper } = room;
  const allowed = allowedNs(room);
  const at = (time: number): string => `${Math.min(100, Math.max(0, (100 * time) / windowNs))}%`;
  const ends = roomEnds(room);
  const isOver = lower !== null && lower > allowed;
  const certain = Math.min(lower ?? 0, allowed);
  const possible = Math.min(upper ?? allowed, allowed);
  const part = (from: number, to: number, background: string, borderRight?: string) => (
    <div style={{ left: at(from), width: at(to - from), background, borderRight }} />
  );
  const bar = (
    <div
      className={classes["bar"]}
      role="img"
      aria-label={roomLabel(room)}
      style={{ height: size === "hero" ? 56 : undefined }}
    >
      <div className={classes["track"]}>
        {lower === null ? part(0, allowed, hatching("transparent", "var(--nodata)")) : part(0, certain, "var(--data)")}
        {isOver ? <div style={{ left: at(allowed), right: 0, background: "var(--fail-fill)" }} /> : null}
        {lower === null || isOver ? null : (
          <>
            {/* The end is unknown, so the part fades. */}
            {upper === null
              ? part(certain, possible, "linear-gradient(to right, var(--data-band), transparent)")
              : part(certain, possible, "var(--data-band)", "2px solid var(--data)")}
            {part(possible, allowed, `var(--room-${TONES[room.verdict]})`)}
          </>
        )}
        {room.reserveNs > 0 && !isOver
          ? part(allowed, windowNs, hatching("var(--reserve)", "var(--reserve-hatch)"))
          : null}
      </div>
      <div style={{ position: "absolute", insetBlock: -4, right: 0, width: 2, background: "var(--ink)" }} />
      {isOver && lower > windowNs ? <div className={classes["arrow"]} /> : null}
    </div>
  );
  if (size === "row") return bar;
  return (
    <div className="stack-8">
      <dl className={`figures ${classes["heads"]}`}>
        <Head name="Reads take" ink="var(--accent)" width={at(Math.max(certain, possible))}>
          {usedText(room)}
        </Head>
        {ends === null ? null : (
          <Head
            name="Room left"
            ink={`var(--${TONES[room.verdict]}-ink)`}
            width={at(allowed - possible)}
            exact={formatLatencyInterval(ends.lowerNs, ends.upperNs)}
          >
            {roomText(ends)}
          </Head>
        )}
        {room.reserveNs > 0 ? (
          <Head name="Kept for scoring" width="auto">
            {formatExactLatency(room.reserveNs)}
          </Head>
        ) : null}
      </dl>
      {bar}
      <Scale windowNs={windowNs} />
    </div>
  );
}

type HeadProps = { name: string; ink?: string; width: string; exact?: string; children: string };

function Head({ name, ink, width, exact, children }: HeadProps) {
  return (
    <div style={{ "--width": width } as CSSProperties} title={exact}>
      <dt>{name}</dt>
      <dd style={{ color: ink }}>{children}</dd>
    </div>
  );
}

function Scale({ windowNs }: { windowNs: number }) {
  const ticks = linearTicks(windowNs, 5).filter((tick) => tick < windowNs * 0.93);
  return (
    <div className={`muted smaller num axis-labels ${classes["scale"]}`} aria-hidden="true">
      {ticks.map((tick) => (
        <span key={tick} style={{ left: `${(100 * tick) / windowNs}%` }} data-first={tick === 0 || undefined}>
          {tick === 0 ? "0" : formatExactLatency(tick)}
        </span>
      ))}
      <strong>{formatExactLatency(windowNs)}</strong>
    </div>
  );
}

/** Returns the picture as a sentence, for assistive technology. */
function roomLabel(room: Room): string {
  const ends = roomEnds(room);
  const parts = [`Reads take ${usedText(room)}`];
  if (ends !== null) {
    parts.push(`room left ${roomText(ends)}`);
  }
  if (room.reserveNs > 0) parts.push(`${formatExactLatency(room.reserveNs)} kept for scoring`);
  parts.push(`deadline ${formatExactLatency(room.windowNs)}`);
  return parts.join(", ");
}
