// Reads view state from the address: what is not understood is dropped, what is the default is left out.

export type RawSearch = Record<string, unknown>;

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

/** Drops keys without a value, so that they do not show in the address. */
export function compact<Shape extends object>(
  search: Shape,
): { [Key in keyof Shape]?: Exclude<Shape[Key], undefined> } {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as {
    [Key in keyof Shape]?: Exclude<Shape[Key], undefined>;
  };
}
