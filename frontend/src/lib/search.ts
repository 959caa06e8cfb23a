// Reads view state from the address: unreadable values are dropped, defaults are left out.

export type RawSearch = Record<string, unknown>;

/** What changes in an address; undefined takes the key out. */
export type Change<Search> = { [Key in keyof Search]?: Search[Key] | undefined };

/** The value of a field: a number where the text reads as one, so that the address shows it without quotes. */
export type Typed = string | number;

/** Text that reads as the same number again is that number. */
export function plainOf(text: string): Typed {
  return /^-?\d/.test(text) && String(Number(text)) === text ? Number(text) : text;
}

/** One of `choices`, or undefined. */
export function oneOf<const Choice extends string>(raw: unknown, choices: readonly Choice[]): Choice | undefined {
  return choices.find((choice) => choice === raw);
}

/** Text of at most `longest` characters, or undefined when empty. A number that the address parsed is text again. */
export function text(raw: unknown, longest = 200): string | undefined {
  if (typeof raw !== "string" && typeof raw !== "number") return undefined;
  const trimmed = String(raw).trim().slice(0, longest);
  return trimmed === "" ? undefined : trimmed;
}

/** A field as it was typed: undefined where it is empty, unless it may be (then it says what is missing, instead of its default). */
export function typed(raw: unknown, { longest = 100, mayBeEmpty = false } = {}): Typed | undefined {
  if (raw === undefined) return undefined;
  const text = (typeof raw === "object" ? JSON.stringify(raw) : String(raw)).trim();
  if (text === "") return mayBeEmpty ? "" : undefined;
  return plainOf(text.slice(0, longest).trim());
}

/** Drops keys without a value, so that they do not show in the address. */
export function compact<Shape extends object>(
  search: Shape,
): { [Key in keyof Shape]?: Exclude<Shape[Key], undefined> } {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as {
    [Key in keyof Shape]?: Exclude<Shape[Key], undefined>;
  };
}
