// Subjects of a comparison: parsed from the URL, and stored in the browser so that other pages can add to them.
import { readStored, writeStored } from "@/lib/storage";

export const MOST_SUBJECTS = 6;
const KEY = "compare";
const SUBJECT = /^(?:(?:run|campaign):[0-9a-f-]{36}|drive:[a-z0-9._-]{1,200}|publication:[^,]{1,280})$/i;

/** Returns the valid subjects of a URL parameter, in order and without duplicates; at most `MOST_SUBJECTS`. */
export function subjectsOf(text: string | undefined): string[] {
  const valid = (text ?? "").split(",").filter((part) => SUBJECT.test(part));
  return [...new Set(valid)].slice(0, MOST_SUBJECTS);
}

/** Returns the parts of a URL parameter that are not valid subjects. */
export const unknownIn = (text: string | undefined): string[] =>
  (text ?? "").split(",").filter((part) => part !== "" && !SUBJECT.test(part));

export const textOf = (subjects: readonly string[]): string | undefined => subjects.join(",") || undefined;

/** Returns the search parameters of a link to these subjects. */
export const searchOf = (subjects: readonly string[]): { of?: string } =>
  subjects.length === 0 ? {} : { of: subjects.join(",") };

/** Returns the subjects with `added` at the end. It replaces the last if the limit is reached. */
export const withSubject = (subjects: readonly string[], added: string): string[] => [
  ...subjects.filter((subject) => subject !== added).slice(0, MOST_SUBJECTS - 1),
  added,
];

export const storeSubjects = (subjects: readonly string[]): void => writeStored(KEY, subjects.join(","));
export const storedSubjects = (): string[] => subjectsOf(readStored(KEY) ?? undefined);
