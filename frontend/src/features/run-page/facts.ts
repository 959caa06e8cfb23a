// Labels and values for plan and inventory, whose fields the agent defines. The unit in a field's name decides its
// format.
import { formatBytes, formatExactLatency, formatInteger, formatSpan } from "@/lib/format";

type Fact = { readonly name: string; readonly text: string };
export type FactGroup = { readonly name: string; readonly facts: readonly Fact[] };

const UNITS: readonly [suffix: string, write: (value: number) => string][] = [
  ["_ns", formatExactLatency],
  ["_bytes", formatBytes],
  ["_per_s", (value) => `${number(value)}\u00a0/s`],
  ["_pct", (value) => `${number(value)}\u00a0%`],
  ["_mhz", (value) => `${number(value)}\u00a0MHz`],
  ["_s", (value) => formatSpan(value * 1e9)],
];

const number = (value: number): string => (Number.isInteger(value) ? formatInteger(value) : String(value));

const ABBREVIATIONS: Record<string, string> = {
  cpu: "CPU",
  smt: "SMT",
  numa: "NUMA",
  os: "OS",
  io: "I/O",
  id: "id",
  pcie: "PCIe",
  nic: "NIC",
  sha256: "SHA-256",
  defrag: "defragmentation",
  lwm: "low-water mark",
};

/** Returns the label of a field: `File size` for `file_size_bytes`. */
export function factName(key: string): string {
  const suffix = UNITS.find(([unit]) => key.endsWith(unit))?.[0] ?? "";
  const bare = suffix === "" || key.length === suffix.length ? key : key.slice(0, -suffix.length);
  const words = bare.split(/[_-]+/).map((word) => ABBREVIATIONS[word] ?? word);
  const text = words.join(" ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function factText(key: string, value: unknown): string {
  if (value === null || value === undefined || value === "") return "not known";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") return (UNITS.find(([unit]) => key.endsWith(unit))?.[1] ?? number)(value);
  if (typeof value === "string") return value;
  return JSON.stringify(value);
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function flatten(key: string, value: unknown, path: readonly string[]): Fact[] {
  if (isRecord(value)) {
    return Object.entries(value).flatMap(([inner, content]) => flatten(inner, content, [...path, factName(inner)]));
  }
  if (Array.isArray(value)) {
    if (value.length === 0) return [{ name: path.join(" · "), text: "none" }];
    if (value.some(isRecord)) {
      return value.flatMap((item, index) =>
        flatten(
          key,
          item,
          value.length === 1 ? path : [...path.slice(0, -1), `${path.at(-1) ?? ""} ${index + 1}`.trim()],
        ),
      );
    }
    return [{ name: path.join(" · "), text: value.map((item) => factText(key, item)).join(", ") }];
  }
  return [{ name: path.join(" · "), text: factText(key, value) }];
}

/** Returns the record's scalars as a group named `own`, then a group per nested object or list of objects. */
export function factGroups(own: string, record: Record<string, unknown>): FactGroup[] {
  const scalars: Fact[] = [];
  const groups: FactGroup[] = [];
  for (const [key, value] of Object.entries(record)) {
    if (isRecord(value)) {
      const facts = Object.entries(value).flatMap(([inner, content]) => flatten(inner, content, [factName(inner)]));
      if (facts.length > 0) groups.push({ name: factName(key), facts });
    } else if (Array.isArray(value) && value.some(isRecord)) {
      for (const [index, item] of value.entries()) {
        const facts = isRecord(item)
          ? Object.entries(item).flatMap(([inner, content]) => flatten(inner, content, [factName(inner)]))
          : flatten(key, item, [factName(key)]);
        groups.push({ name: value.length === 1 ? factName(key) : `${factName(key)} ${index + 1}`, facts });
      }
    } else {
      scalars.push(...flatten(key, value, [factName(key)]));
    }
  }
  return scalars.length === 0 ? groups : [{ name: own, facts: scalars }, ...groups];
}
