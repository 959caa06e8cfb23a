// Text for claims: quantities, metric classes and conditions.
import { dayAsPrinted, formatExactLatency, formatInteger, formatSpan, sentence } from "@/lib/format";
import { printedText } from "@/lib/printed";

/** Names of the quantities that the words of their key do not name. */
const QUANTITIES: Record<string, string> = {
  exceedance: "share over the threshold",
  share_below: "share under the threshold",
  gain: "gain claimed",
  random_read: "random reads",
  random_write: "random writes",
  sequential_read: "sequential reads",
  sequential_write: "sequential writes",
  over_provisioning: "over-provisioning",
  cpu_usage: "CPU usage",
  sla: "time allowed",
};

export const quantityName = (quantity: string): string => QUANTITIES[quantity] ?? quantity.replaceAll("_", " ");

/** Returns a threshold as text: `over 1 ms`, `under 7 ms`. */
export function thresholdText(quantity: string, thresholdNs: number): string {
  const threshold = formatExactLatency(thresholdNs);
  if (quantity === "exceedance") return `over ${threshold}`;
  if (quantity === "share_below") return `under ${threshold}`;
  return `${quantityName(quantity)} at ${threshold}`;
}

const METRICS: Record<string, string> = {
  device: "device only",
  unstated: "kind of time not stated",
};

export const metricName = (metric: string | null): string | null =>
  metric === null ? null : (METRICS[metric] ?? metric);

const CONDITIONS: Record<string, string> = {
  over_provisioned: "Over-provisioned",
  op_class: "Over-provisioning",
  record_bytes: "Record size",
  generation: "Tool generation",
  metric_class: "What was timed",
  configuration_new: "“new”",
  configuration_old: "“old”",
};

const UNITS: readonly [suffix: string, unit: string][] = [
  ["_h", "h"],
  ["_bytes", "bytes"],
  ["_ns", "ns"],
  ["_ratio", "ratio"],
];

/** Returns the label of a condition's key: `Capacity` for `capacity_bytes`. */
export function conditionName(key: string): string {
  const label = CONDITIONS[key];
  if (label !== undefined) return label;
  const suffix = key.endsWith("_as_printed") ? "_as_printed" : (UNITS.find(([unit]) => key.endsWith(unit))?.[0] ?? "");
  return sentence((suffix === "" ? key : key.slice(0, -suffix.length)).replaceAll("_", " "));
}

/** Returns the value of a condition as text; null if it is not stated. */
export function conditionText(key: string, value: unknown): string | null {
  if (value === null || value === undefined || value === "") return null;
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") {
    if (key.endsWith("duration_ns")) return formatSpan(value);
    // Record sizes are exact, because they exceed round numbers by a few bytes.
    if (key === "record_bytes") return `${formatInteger(value)}\u00a0B`;
    const unit = UNITS.find(([suffix]) => key.endsWith(suffix))?.[1];
    if (unit !== undefined) return printedText({ value, lower: value, upper: value, unit });
    return Number.isInteger(value) ? formatInteger(value) : String(value);
  }
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map((element) => conditionText(key, element) ?? "").join(", ");
  return Object.entries(value)
    .map(([inner, content]) => `${conditionName(inner).toLowerCase()} ${conditionText(inner, content) ?? "not stated"}`)
    .join(", ");
}

const KINDS: Record<string, string> = {
  vendor: "published by a vendor",
  third_party: "published by a third party",
  commissioned: "third party, paid by the vendor",
};

/** Returns the date of a document, `24 Sep 2019` or as printed. */
export const dateName = (date: string | null): string => (date === null ? "no date printed" : dayAsPrinted(date));

export const kindName = (kind: string): string => KINDS[kind] ?? kind.replaceAll("_", " ");
