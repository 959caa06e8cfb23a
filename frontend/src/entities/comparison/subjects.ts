// Subjects of a comparison: in the address, and remembered so that other pages can add to them.
import { remember, remembered } from "@/lib/storage";

export const MOST_SUBJECTS = 6;
const KEY = "compare";
const SUBJECT = /^(?:(?:run|campaign):[0-9a-f-]{36}|drive:[a-z0-9._-]{1,200}|publication:[^,]{1,280})$/i;

/** The subjects of an address, each once, in its order; malformed parts are left out. */
export function subjectsOf(text: string | undefined): string[] {
  const valid = (text ?? "").split(",").filter((part) => SUBJECT.test(part));
  return [...new Set(valid)].slice(0, MOST_SUBJECTS);
}

/** What an address names that can be no subject. */
export const unknownIn = (text: string | undefined): string[] =>
  (text ?? "").split(",").filter((part) => part !== "" && !SUBJECT.test(part));

export const textOf = (subjects: readonly string[]): string | undefined => subjects.join(",") || undefined;

/** What a link to these carries. */
export const searchOf = (subjects: readonly string[]): { of?: string } =>
  subjects.length === 0 ? {} : { of: subjects.join(",") };

/** With one more, which takes the place of the last where there is none left. */
export const withSubject = (subjects: readonly string[], added: string): string[] => [
  ...subjects.filter((subject) => subject !== added).slice(0, MOST_SUBJECTS - 1),
  added,
];

export const rememberSubjects = (subjects: readonly string[]): void => remember(KEY, subjects.join(","));
export const rememberedSubjects = (): string[] => subjectsOf(remembered(KEY) ?? undefined);
