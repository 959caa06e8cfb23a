// The name of a browser from its user agent string, in the detail that people know.

const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/Edg\//, "Edge"],
  [/OPR\//, "Opera"],
  [/Firefox\//, "Firefox"],
  [/Chrom(e|ium)\//, "Chrome"],
  [/Safari\//, "Safari"],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/Android/, "Android"],
  [/iPhone|iPad/, "iOS"],
  [/Windows/, "Windows"],
  [/Mac OS X/, "macOS"],
  [/Linux/, "Linux"],
];

const named = (agent: string, names: typeof BROWSERS): string | undefined =>
  names.find(([pattern]) => pattern.test(agent))?.[1];

/** "Firefox on Linux"; another program by its own first word. */
export function browserName(agent: string): string {
  const browser = named(agent, BROWSERS);
  const system = named(agent, SYSTEMS);
  if (browser === undefined) return agent.split(/[ /]/)[0] || "unknown";
  return system === undefined ? browser : `${browser} on ${system}`;
}
