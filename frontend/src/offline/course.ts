// Chart of percentile bounds over time. Zooms by buttons, by keys, and by dragging over a range.
import { formatLatency, formatQuantile, formatSpan } from "@/lib/format";
import { drawing, element } from "./elements";
import type { Course } from "./evidence";

const WIDTH = 800;
const HEIGHT = 260;
const LEFT = 64;
const BOTTOM = 28;
const COLOURS = ["#0b5cad", "#00664a", "#a33a00"];
/** Smallest visible range, in slices. */
const FEWEST_PIECES = 4;

type TimeSpan = { readonly from: number; readonly to: number };

/** Returns the chart with its buttons. */
export function courseOf(course: Course, name: string): HTMLElement {
  const size = course.start_ns.length;
  let shown: TimeSpan = { from: 0, to: size };
  const picture = element("div", {});
  const status = element("p", { class: "soft", role: "status" });

  const show = (from: number, to: number): void => {
    const length = Math.min(size, Math.max(FEWEST_PIECES, Math.round(to - from)));
    const first = Math.min(Math.max(0, Math.round(from)), size - length);
    shown = { from: first, to: first + length };
    picture.replaceChildren(drawn(course, shown, name, show));
    status.textContent = `${textAt(course, shown.from)} to ${textAt(course, shown.to)}`;
    wholeRun.disabled = length === size;
    out.disabled = length === size;
    closer.disabled = length <= FEWEST_PIECES;
    earlier.disabled = shown.from === 0;
    later.disabled = shown.to === size;
  };
  const button = (text: string, act: () => void): HTMLButtonElement => {
    const made = element("button", { type: "button" }, text);
    made.addEventListener("click", act);
    return made;
  };
  const scaled = (factor: number): void => {
    const middle = (shown.from + shown.to) / 2;
    const half = ((shown.to - shown.from) * factor) / 2;
    show(middle - half, middle + half);
  };
  const moved = (share: number): void => {
    const by = (shown.to - shown.from) * share;
    show(shown.from + by, shown.to + by);
  };
  const closer = button("Zoom in", () => scaled(0.5));
  const out = button("Zoom out", () => scaled(2));
  const earlier = button("Earlier", () => moved(-0.5));
  const later = button("Later", () => moved(0.5));
  const wholeRun = button("Whole run", () => show(0, size));
  const buttons = element("p", { class: "buttons" }, closer, out, earlier, later, wholeRun);
  show(0, size);
  return element("figure", { "aria-label": `Course of ${name}` }, picture, status, buttons);
}

const textAt = (course: Course, piece: number): string => {
  const last = course.start_ns.length - 1;
  const at =
    piece > last ? (course.start_ns[last] ?? 0) + (course.duration_ns[last] ?? 0) : (course.start_ns[piece] ?? 0);
  return at === 0 ? "the beginning" : formatSpan(at);
};

function drawn(course: Course, { from, to }: TimeSpan, name: string, show: (from: number, to: number) => void): Node {
  const lines = course.quantiles.map((line) => ({
    quantile: line.quantile,
    lower: line.lower_ns.slice(from, to),
    upper: line.upper_ns.slice(from, to),
  }));
  const seen = lines
    .flatMap(({ lower, upper }) => [...lower, ...upper])
    .filter((at): at is number => at !== null && at > 0);
  const bottom = Math.log10(Math.max(1, Math.min(...seen)));
  const top = Math.max(bottom + 0.1, Math.log10(Math.max(1, ...seen)));
  const x = (piece: number): number => LEFT + ((WIDTH - LEFT) * piece) / (to - from);
  const y = (at: number): number =>
    (HEIGHT - BOTTOM) * (1 - (Math.log10(Math.max(1, at)) - bottom) / (top - bottom)) + 2;
  const svg = drawing("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", class: "course" });
  svg.append(drawing("title", {}, `${name}: ${lines.map(({ quantile }) => `${formatQuantile(quantile)}`).join(", ")}`));
  for (const level of [bottom, (bottom + top) / 2, top]) {
    const at = 10 ** level;
    svg.append(
      drawing("line", { x1: LEFT, x2: WIDTH, y1: y(at), y2: y(at), stroke: "#e4e8ec" }),
      drawing("text", { x: LEFT - 6, y: Math.max(12, y(at) + 4), "text-anchor": "end" }, formatLatency(at)),
    );
  }
  for (const [line, { quantile, lower, upper }] of lines.entries()) {
    const colour = COLOURS[line] ?? "#11161c";
    // Each slice is a box from its lower to its upper bound. Without an upper bound, it reaches the top.
    const path = lower
      .map((low, piece) => {
        if (low === null) return "";
        const high = upper[piece] ?? 10 ** top;
        const [x0, x1, y0, y1] = [x(piece), x(piece + 1), y(low), Math.min(y(high), y(low) - 1)];
        return `M${x0.toFixed(1)} ${y0.toFixed(1)}H${x1.toFixed(1)}V${y1.toFixed(1)}H${x0.toFixed(1)}Z`;
      })
      .join("");
    svg.append(drawing("path", { d: path, fill: colour }, drawing("title", {}, `${formatQuantile(quantile)}`)));
    svg.append(
      drawing("text", { x: LEFT + 60 * line, y: HEIGHT - 6, style: `fill: ${colour}` }, `${formatQuantile(quantile)}`),
    );
  }
  zoomByDrag(svg, (share) => from + Math.max(0, (share * WIDTH - LEFT) / (WIDTH - LEFT)) * (to - from), show);
  return svg;
}

/** Zooms to the range over which the pointer is dragged. */
function zoomByDrag(
  svg: SVGSVGElement,
  pieceAt: (share: number) => number,
  show: (from: number, to: number) => void,
): void {
  const shareOf = (event: PointerEvent): number => {
    const box = svg.getBoundingClientRect();
    return (event.clientX - box.left) / box.width;
  };
  let began: number | null = null;
  svg.addEventListener("pointerdown", (event) => {
    began = shareOf(event);
  });
  svg.addEventListener("pointerup", (event) => {
    const ended = shareOf(event);
    if (began !== null && Math.abs(ended - began) > 0.02)
      show(pieceAt(Math.min(began, ended)), pieceAt(Math.max(began, ended)));
    began = null;
  });
}
