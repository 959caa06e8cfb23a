/** The path of a Chromium that is there already, or null. */
export function findBrowser(): string | null;
/** What that Chromium needs in its environment. */
export function browserEnvironment(executable: string): Record<string, string>;
