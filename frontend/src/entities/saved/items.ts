// Saved items: questions, shortlists, drives and runs. The URL contains all data of an item.
import { defaultParseSearch, defaultStringifySearch } from "@tanstack/react-router";
import type { SavedItem } from "@/api/saved";
import {
  fullSearch,
  type PickSearch,
  type ReaderQuestionSearch,
  readerQuestionSearch,
} from "@/entities/question/address";
import { readReaderQuestion } from "@/entities/question/readerQuestion";
import { compact } from "@/lib/search";

export const MOST_SAVED = 200;
const LONGEST_TITLE = 300;
const KINDS = ["question", "shortlist", "drive", "run"] as const satisfies readonly SavedItem["kind"][];

export const KIND_NAMES: Record<SavedItem["kind"], string> = {
  question: "Questions",
  shortlist: "Shortlists",
  drive: "Drives",
  run: "Runs",
};

/** Parses items stored by the browser; invalid ones are left out. */
export function readItems(stored: string): SavedItem[] {
  try {
    const parsed: unknown = JSON.parse(stored || "[]");
    return Array.isArray(parsed) ? parsed.filter(isItem).slice(0, MOST_SAVED) : [];
  } catch {
    return [];
  }
}

function isItem(stored: unknown): stored is SavedItem {
  if (typeof stored !== "object" || stored === null) return false;
  const { kind, address, title } = stored as Record<string, unknown>;
  return (
    KINDS.some((candidate) => candidate === kind) &&
    typeof address === "string" &&
    /^\/[a-z][!-~]{0,999}$/.test(address) &&
    typeof title === "string" &&
    title !== "" &&
    title.length <= LONGEST_TITLE
  );
}

const item = (kind: SavedItem["kind"], address: string, title: string): SavedItem => ({
  kind,
  address,
  title: title.slice(0, LONGEST_TITLE),
});

/** Returns the question of a URL as an item; `null` if it has none or it is invalid. */
export function questionItem(search: ReaderQuestionSearch): SavedItem | null {
  const question = compact(readerQuestionSearch(search)) as ReaderQuestionSearch;
  const { question: ownQuestion } = readReaderQuestion(question);
  if (ownQuestion === null || Object.keys(question).length === 0) return null;
  return item("question", `/sla${defaultStringifySearch(question)}`, ownQuestion.text);
}

export const driveItem = (slug: string, name: string): SavedItem => item("drive", `/drives/${slug}`, name);
export const runItem = (runId: string, title: string): SavedItem => item("run", `/runs/${runId}`, title);
export const shortlistItem = (pick: NonNullable<PickSearch["pick"]>, names: readonly string[]): SavedItem =>
  item("shortlist", `/drives${defaultStringifySearch({ compare: "open", pick })}`, names.join(", "));

/** Returns path and search parameters of an item's link. A saved question replaces the current one. */
export function placeOf({ kind, address }: SavedItem): { to: string; search: ReaderQuestionSearch & PickSearch } {
  const at = address.indexOf("?");
  const raw = at < 0 ? {} : (defaultParseSearch(address.slice(at)) as Record<string, unknown>);
  const search = raw as ReaderQuestionSearch & PickSearch;
  return { to: at < 0 ? address : address.slice(0, at), search: kind === "question" ? fullSearch(search) : search };
}

/** Returns the question of a saved item as search parameters, for use on the current page. */
export const questionOf = (saved: SavedItem): ReaderQuestionSearch =>
  compact(readerQuestionSearch(placeOf(saved).search)) as ReaderQuestionSearch;
