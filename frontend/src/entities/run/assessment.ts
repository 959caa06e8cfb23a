// A figure of a run as text, or the reason why it could not be assessed.

/** A text, or `null` with the reason for its absence. */
export type Assessment =
  | { readonly text: string; readonly reason: null }
  | { readonly text: null; readonly reason: string };
export type Line = { readonly name: string; readonly value: Assessment };

export const assessed = (text: string): Assessment => ({ text, reason: null });
export const notAssessed = (reason: string | null): Assessment => ({ text: null, reason: reason ?? "not known" });
