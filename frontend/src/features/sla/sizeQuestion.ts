// Conversion of typed sizing parameters to a query of the API, with a problem per field.
import type { SizeRequest } from "@/api/sla";
import { type Parsed, parseAmount, parseBytes, parsePercent, parseWhole } from "@/lib/parse";
import { type SlaSearch, shownText, type TypedKey } from "./address";

export const SIZE_DEFAULTS: { readonly [Key in SizeField]?: string } = {
  tps: "4,000",
  headroom: "70",
  spare: "0",
  copies: "1",
};

export type SizeField = Extract<
  TypedKey,
  "tps" | "headroom" | "spare" | "copies" | "writes" | "nodewrites" | "data" | "disk" | "fill"
>;

export type SizeState = {
  readonly request: SizeRequest | null;
  readonly problems: { readonly [Key in SizeField]?: string };
};

const RATE = { least: 0.001, most: 1e12, what: "a rate per second" } as const;

export function readSize(search: SlaSearch): SizeState {
  const problems: { [Key in SizeField]?: string } = {};
  const field = <Value>(name: SizeField, read: (text: string) => Parsed<Value>): Value | null => {
    const parsed = read(shownText(search, name, SIZE_DEFAULTS[name]));
    if (parsed.problem !== null) problems[name] = parsed.problem;
    return parsed.value;
  };
  const optional = <Value>(name: SizeField, read: (text: string) => Parsed<Value>): Value | null =>
    search[name] === undefined ? null : field(name, read);
  const wholeNumber = (least: number, most: number, what: string) => (text: string) =>
    parseWhole(text, { least, most, what });

  const target = field("tps", (text) => parseAmount(text, RATE));
  const headroom = field("headroom", parsePart);
  const spare = field("spare", wholeNumber(0, 100, "how many nodes may fail"));
  const copies = field("copies", wholeNumber(1, 100, "how many copies"));
  const writes = optional("writes", (text) => parseAmount(text, RATE));
  const nodeWrites = optional("nodewrites", (text) => parseAmount(text, RATE));
  const data = optional("data", parseBytes);
  const disk = optional("disk", parseBytes);
  const fill = optional("fill", parsePart) ?? (data === null ? null : 1);
  if (data !== null && disk === null) problems.disk ??= "Needed to count nodes for the data.";
  if (writes !== null && nodeWrites === null) problems.nodewrites ??= "Needed to count nodes for the writes.";
  if (target === null || headroom === null || spare === null || copies === null || Object.keys(problems).length > 0)
    return { request: null, problems };
  return {
    request: {
      target_transactions_per_s: target,
      headroom_ratio: headroom,
      tolerated_failures: spare,
      replication_factor: copies,
      writes_per_s: writes,
      writes_per_s_per_node: nodeWrites,
      data_bytes: data,
      usable_capacity_bytes: disk,
      fill_ratio: fill,
    },
    problems,
  };
}

/** Parses a share that, unlike an objective, may be 100 %. */
function parsePart(text: string): Parsed<number> {
  return /^100(\.0*)?\s*%?$/.test(text.trim()) ? { value: 1, problem: null } : parsePercent(text);
}
