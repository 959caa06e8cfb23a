// Questions that somebody has saved in this browser, without an account. What cannot be read any more is left out.
import { useLocalStorage } from "@mantine/hooks";
import { type AskedSearch, askedSearch, QUESTION_KEYS } from "./address";
import { readAsked } from "./asked";

const KEY = "tailroom.questions";
const MOST_SAVED = 20;

export type SavedQuestion = { readonly text: string; readonly search: AskedSearch };

/** What is stored, whoever wrote it: only whole questions that this version understands. */
export function readSaved(stored: string | undefined): SavedQuestion[] {
  try {
    const found: unknown = JSON.parse(stored ?? "[]");
    return Array.isArray(found) ? found.flatMap(questionIn) : [];
  } catch {
    return [];
  }
}

function questionIn(stored: unknown): SavedQuestion[] {
  if (typeof stored !== "object" || stored === null) return [];
  const read = Object.entries(askedSearch(stored as Record<string, unknown>)).filter(
    ([, value]) => value !== undefined,
  );
  const search = Object.fromEntries(read) as AskedSearch;
  const { asked } = readAsked(search);
  return read.length === 0 || asked === null ? [] : [{ text: asked.text, search }];
}

/** The part of an address that is saved. */
const questionOf = (search: AskedSearch): AskedSearch =>
  Object.fromEntries(QUESTION_KEYS.flatMap((key) => (search[key] === undefined ? [] : [[key, search[key]]])));

export function useSavedQuestions() {
  const [saved, setSaved] = useLocalStorage<SavedQuestion[]>({
    key: KEY,
    defaultValue: [],
    getInitialValueInEffect: false,
    serialize: (questions) => JSON.stringify(questions.map(({ search }) => search)),
    deserialize: readSaved,
  });
  return {
    saved,
    isSaved: (text: string) => saved.some((question) => question.text === text),
    /** Saved where it is not, else taken away. */
    toggle: (text: string, search: AskedSearch) =>
      setSaved((before) => {
        const others = before.filter((question) => question.text !== text);
        return others.length < before.length
          ? others
          : [{ text, search: questionOf(search) }, ...others].slice(0, MOST_SAVED);
      }),
  };
}
