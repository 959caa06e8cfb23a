// A distribution that the reader brought along. It stays in this browser tab: no address is long enough for it, and nothing is
// stored on the server.
import { useState } from "react";

/** The API takes 8 MiB as a whole; a distribution of this length has more buckets than any tool writes. */
export const MOST_BYTES = 4 * 2 ** 20;

const PLACE = "tailroom.sla.pasted";

export type Pasted = {
  /** Under which answers to it are kept. */
  readonly key: string;
  /** A file name, or how it came. */
  readonly name: string;
  readonly text: string;
  readonly distribution: Readonly<Record<string, unknown>>;
};

export type PasteResult =
  | { readonly pasted: Pasted; readonly problem: null }
  | { readonly pasted: null; readonly problem: string };

let counter = 0;
const nextKey = (): string => {
  counter += 1;
  return `pasted ${Date.now()} ${counter}`;
};

/** Text to a distribution, or what is wrong with it. Whether its numbers make sense is for the API to say. */
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

function stored(): Pasted | null {
  try {
    const stored = window.sessionStorage.getItem(PLACE);
    if (stored === null) return null;
    const { name, text } = JSON.parse(stored) as { name: string; text: string };
    return readPasted(text, name).pasted;
  } catch {
    return null;
  }
}

/** What was pasted in this tab, also after a reload. */
export function usePasted(): [Pasted | null, (pasted: Pasted) => void] {
  const [pasted, setPasted] = useState<Pasted | null>(stored);
  return [
    pasted,
    (next) => {
      setPasted(next);
      try {
        window.sessionStorage.setItem(PLACE, JSON.stringify({ name: next.name, text: next.text }));
      } catch {
        // Private mode or a full store: it lasts until the page is left.
      }
    },
  ];
}
