import { describe, expect, it } from "vitest";
import type { Publication } from "@/api/publications";
import { fillText, networksSentence, phasesOf } from "./Networks";

const row = (name: string, cells: Readonly<Record<string, number>>) => ({
  row: name,
  label: name,
  claims: Object.entries(cells).map(([key, lower]) => ({ key: `${name}/${key}`, printed: { lower } })),
});
const documentOf = (...params: ReturnType<typeof row>[]) =>
  ({
    tables: [
      { id: "params", rows: params },
      {
        id: "phases",
        rows: [row("p0", { objects: 2e9 }), row("p1", { reads: 1e6 }), row("p5", { reads: 3e6, updates: 5e5 })],
      },
    ],
  }) as unknown as Publication;

describe("two networks by phase", () => {
  it("says what one server sends at least, of phases with reads", () => {
    const phases = phasesOf(documentOf(row("object-size", { value: 900 }), row("nodes", { value: 4 })));
    expect(phases.map(({ bitsPerS }) => bitsPerS)).toEqual([1.8e9, 5.4e9]);
    expect(phases.map(({ updatesPerS }) => updatesPerS)).toEqual([0, 5e5]);
    expect(networksSentence(phases)).toBe(
      "Whether 40\u00a0GbE is faster is not shown: no figure of either is printed, and reads fill 54\u00a0% of 10\u00a0GbE at least.",
    );
  });

  it("claims nothing where sizes are not printed, and never rounds up", () => {
    expect(phasesOf(documentOf(row("nodes", { value: 4 })))).toEqual([]);
    expect(networksSentence([])).toBe("Whether the faster network is faster is not shown.");
    expect(fillText(1.899e9, 10e9)).toBe("18\u00a0%");
  });
});
