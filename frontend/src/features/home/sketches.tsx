// Sketches of the three tiles: loads, a latency distribution, the headroom bar.
import classes from "./Home.module.css";

const BUCKETS = [3, 7, 15, 24, 30, 26, 20, 16, 13, 10, 8, 6, 5, 4, 3, 2, 2, 1, 1, 1] as const;

export function TracksSketch() {
  return (
    <svg viewBox="0 0 208 32" className={classes["sketch"]} aria-hidden="true">
      <Track y={8} held={104} failed={140} />
      <Track y={22} held={60} failed={100} />
    </svg>
  );
}

function Track({ y, held, failed }: { y: number; held: number; failed: number }) {
  return (
    <>
      <line x1={3} x2={held} y1={y} y2={y} stroke="var(--pass-fill)" strokeWidth={5} strokeLinecap="round" />
      <line x1={held + 8} x2={failed - 8} y1={y} y2={y} stroke="var(--axis)" strokeWidth={2} strokeDasharray="2 4" />
      <line x1={failed} x2={205} y1={y} y2={y} stroke="var(--fail-fill)" strokeWidth={5} strokeLinecap="round" />
    </>
  );
}

export function BucketsSketch() {
  return (
    <svg viewBox="0 0 208 32" className={classes["sketch"]} aria-hidden="true">
      {BUCKETS.map((height, index) => (
        <rect
          // biome-ignore lint/suspicious/noArrayIndexKey: a drawing never changes
          key={index}
          x={index * 10.4}
          y={31 - height}
          width={8}
          height={height}
          rx={1.5}
          fill={index < 9 ? "var(--data)" : "var(--data-band)"}
        />
      ))}
    </svg>
  );
}

export function RoomSketch() {
  return (
    <svg viewBox="0 0 208 32" className={classes["sketch"]} aria-hidden="true">
      <rect x={0} y={10} width={46} height={12} rx={2} fill="var(--data)" />
      <rect x={46} y={10} width={24} height={12} fill="var(--data-band)" />
      <rect x={71} y={10} width={52} height={12} fill="var(--room-pass)" />
      <rect x={124} y={10} width={80} height={12} fill="var(--reserve)" />
      <rect x={204} y={5} width={2} height={22} fill="var(--ink)" />
    </svg>
  );
}
