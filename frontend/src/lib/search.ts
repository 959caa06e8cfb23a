// Parses view state from the URL: invalid values are dropped, defaults are left out.

export type RawSearch = Record<string, unknown>;

/** Changes to the URL's search parameters; `undefined` removes a key. */
export type Change<Search> = { [Key in keyof Search]?: Search[Key] | undefined };

/** Value of a field. A number if the text is one, so that the URL shows it without quotes. */
export type Typed = string | number;

/** Returns the number that `text` spells exactly, else `text`. */
export function plainOf(text: string): Typed {
  return /^-?\d/.test(text) && String(Number(text)) === text ? Number(text) : text;
}

/** Returns `raw` if it is one of `choices`, else `undefined`. */
export function oneOf<const Choice extends string>(raw: unknown, choices: readonly Choice[]): Choice | undefined {
  return choices.find((choice) => choice === raw);
}

/** Returns trimmed text of at most `longest` characters; `undefined` if empty. Parsed numbers become text again. */
export function text(raw: unknown, longest = 200): string | undefined {
  if (typeof raw !== "string" && typeof raw !== "number") return undefined;
  const trimmed = String(raw).trim().slice(0, longest);
  return trimmed === "" ? undefined : trimmed;
}

/** Returns a field's value as typed. Empty text gives `undefined`, or an empty string with `mayBeEmpty`. */
export function typed(raw: unknown, { longest = 100, mayBeEmpty = false } = {}): Typed | undefined {
  if (raw === undefined) return undefined;
  const text = (typeof raw === "object" ? JSON.stringify(raw) : String(raw)).trim();
  if (text === "") return mayBeEmpty ? "" : undefined;
  return plainOf(text.slice(0, longest).trim());
}

/** Removes keys whose value is `undefined`, so that they do not appear in the URL. */
export function compact<Shape extends object>(
  search: Shape,
): { [Key in keyof Shape]?: Exclude<Shape[Key], undefined> } {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as {
    [Key in keyof Shape]?: Exclude<Shape[Key], undefined>;
  };
}
