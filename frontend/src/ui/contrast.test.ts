// Measures the contrast of every pair of colours that can meet, in both schemes. Tokens without a role fail the test.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const css = readFileSync("src/ui/tokens.css", "utf8");

function tokensOf(selector: string): Map<string, string> {
  const from = css.indexOf(`\n${selector} {`);
  const block = css.slice(from, css.indexOf("\n}", from));
  return new Map([...block.matchAll(/--([a-z0-9-]+): (#[0-9a-f]{6});/g)].map(([, name, value]) => [name!, value!]));
}

/** Relative luminance by WCAG 2.2. */
function luminance(hex: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}

function contrast(one: string, other: string): number {
  const [high, low] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (high! + 0.05) / (low! + 0.05);
}

const GROUNDS = ["canvas", "sunk", "raised"];
/** Grounds of each text colour; verdict colours also appear on their own background. */
const WORDS: Record<string, string[]> = {
  ink: [...GROUNDS, "sunk-2", "accent-soft", "pass-soft", "fail-soft", "unsure-soft", "reserve"],
  "ink-2": [...GROUNDS, "sunk-2", "reserve"],
  "ink-3": GROUNDS,
  accent: [...GROUNDS, "accent-soft"],
  "pass-ink": [...GROUNDS, "pass-soft"],
  "fail-ink": [...GROUNDS, "fail-soft"],
  "unsure-ink": [...GROUNDS, "unsure-soft"],
};
/** Grounds of shapes that a picture needs to be readable. */
const MARKS: Record<string, string[]> = {
  "pass-fill": GROUNDS,
  "fail-fill": GROUNDS,
  "unsure-fill": GROUNDS,
  "on-fill": ["pass-fill", "fail-fill", "unsure-fill"],
  data: GROUNDS,
  axis: GROUNDS,
  ...Object.fromEntries([1, 2, 3, 4, 5, 6].map((series) => [`series-${series}`, GROUNDS])),
};
/** Areas and hairlines: a text beside them or a mark around them repeats their meaning. */
const AREAS = [
  ...GROUNDS,
  ..."sunk-2 line line-strong accent-soft pass-soft fail-soft unsure-soft data-band grid room-pass".split(" "),
  ..."room-unsure reserve reserve-hatch nodata".split(" "),
  // Heatmap steps: the readout and the table give the value of each cell.
  ..."h0 h1 h2 h3 h4 h5 h6 h7".split(" "),
];

const light = tokensOf(":root");
const dark = tokensOf('[data-mantine-color-scheme="dark"]');

describe.each([
  ["light", light],
  ["dark", dark],
])("in the %s scheme", (_, tokens) => {
  it.each(Object.entries(WORDS).flatMap(([word, grounds]) => grounds.map((ground) => [word, ground] as const)))(
    "%s on %s is read as text",
    (word, ground) => {
      expect(contrast(tokens.get(word)!, tokens.get(ground)!)).toBeGreaterThanOrEqual(4.5);
    },
  );

  it.each(Object.entries(MARKS).flatMap(([mark, grounds]) => grounds.map((ground) => [mark, ground] as const)))(
    "%s on %s is seen as a mark",
    (mark, ground) => {
      expect(contrast(tokens.get(mark)!, tokens.get(ground)!)).toBeGreaterThanOrEqual(3);
    },
  );

  it("every colour has exactly one role", () => {
    const roles = [...Object.keys(WORDS), ...Object.keys(MARKS), ...AREAS];
    expect([...tokens.keys()].sort()).toEqual([...roles].sort());
  });
});
