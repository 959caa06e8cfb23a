// Pasted distribution. It stays in this browser tab: it is too long for an address and is not stored on the server.
import { useState } from "react";

/** Largest size in bytes; the API accepts requests of up to 8 MiB. */
export const MOST_BYTES = 4 * 2 ** 20;

const PLACE = "tailroom.sla.pasted";

export type PastedDistribution = {
  /** Key of the cached answers. */
  readonly key: string;
  /** File name, or a name for pasted text. */
  readonly name: string;
  readonly text: string;
  readonly distribution: Readonly<Record<string, unknown>>;
};

export type PasteResult =
  | { readonly pasted: PastedDistribution; readonly problem: null }
  | { readonly pasted: null; readonly problem: string };

let counter = 0;
const nextKey = (): string => {
  counter += 1;
  return `pasted ${Date.now()} ${counter}`;
};

/** Returns the distribution of a text, or its problem; the API checks the numbers. */
export function readPasted(text: string, name: string): PasteResult {
  const problem = (message: string): PasteResult => ({ pasted: null, problem: message });
  if (text.trim() === "") return problem("There is nothing here yet: paste a distribution as JSON, or drop a file.");
  const bytes = new Blob([text]).size;
  if (bytes > MOST_BYTES)
    return problem(
      `This is ${(bytes / 2 ** 20).toFixed(1)}\u00a0MiB; at most ${MOST_BYTES / 2 ** 20}\u00a0MiB are taken. Merge its intervals, or judge the file with \`tailroom judge FILE\`.`,
    );
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return problem(`This is not JSON: ${error instanceof Error ? error.message : String(error)}.`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return problem("A distribution is a JSON object with a layout and counts, or with percentiles.");
  }
  return { pasted: { key: nextKey(), name, text, distribution: value as Record<string, unknown> }, problem: null };
}

function stored(): PastedDistribution | null {
  try {
    const stored = window.sessionStorage.getItem(PLACE);
    if (stored === null) return null;
    const { name, text } = JSON.parse(stored) as { name: string; text: string };
    return readPasted(text, name).pasted;
  } catch {
    return null;
  }
}

/** Returns the distribution pasted in this tab, which survives reloads, and its setter; null without one. */
export function usePastedDistribution(): [PastedDistribution | null, (pasted: PastedDistribution) => void] {
  const [pasted, setPasted] = useState<PastedDistribution | null>(stored);
  return [
    pasted,
    (next) => {
      setPasted(next);
      try {
        window.sessionStorage.setItem(PLACE, JSON.stringify({ name: next.name, text: next.text }));
      } catch {
        // In private mode or with a full store, the distribution is lost when the page closes.
      }
    },
  ];
}
