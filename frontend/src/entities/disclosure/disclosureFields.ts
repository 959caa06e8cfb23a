// Facts that make a run comparable: their groups, their inputs, and the conversion of typed text into stored answers.
// Sizes are stored in bytes, shares from 0 to 1, times with their UTC offset.
import type { AnswerValue, Disclosure } from "@/api/types";
import { type Parsed, parseAmount, parseBytes, parseWhole } from "@/lib/parse";

export type Kind =
  | { readonly is: "text"; readonly choices?: readonly string[] }
  | { readonly is: "choice"; readonly choices: readonly string[] }
  | { readonly is: "drive" }
  | { readonly is: "moment" }
  | { readonly is: "share" }
  | { readonly is: "switch" }
  | { readonly is: "bytes"; readonly choices?: readonly string[] }
  | { readonly is: "whole" }
  | { readonly is: "amount" }
  | { readonly is: "serial" };

export type FieldForm = {
  readonly field: string;
  readonly label: string;
  readonly group: string;
  readonly kind: Kind;
  readonly hint: string | null;
};

type Entry = readonly [label: string, kind: Kind, hint?: string];

const text = (...choices: string[]): Kind => (choices.length === 0 ? { is: "text" } : { is: "text", choices });
const choice = (...choices: string[]): Kind => ({ is: "choice", choices });
const wholeNumber: Kind = { is: "whole" };
const amount: Kind = { is: "amount" };
const bytes: Kind = { is: "bytes" };

/** Group of facts without which no verdict is possible. */
export const CONDITIONS = "Needed for a verdict";
export const LATENCY_UNIT = "tool.latency_unit";
const STARTED_AT = "run.started_at";
const DRIVE_MODEL = "host.block_devices.*.model";

/** Groups in the order in which people usually know the facts: the drive first, details of the host last. */
const GROUPS: readonly (readonly [string, Readonly<Record<string, Entry>>])[] = [
  [
    CONDITIONS,
    {
      [LATENCY_UNIT]: ["Unit of the latencies", choice("ns", "µs", "ms", "s"), "the files are read again with it"],
      "tool.operation": ["Operation that was timed", text("read", "write", "get", "set"), "such as read"],
      "tool.loop": [
        "Kind of load",
        choice("open", "closed"),
        "closed: each answer is awaited before the next operation",
      ],
    },
  ],
  [
    "Start and tool",
    {
      [STARTED_AT]: ["When the run began", { is: "moment" }, "by the clock of the machine, with its offset from UTC"],
      "tool.version": ["Version of the tool", text()],
    },
  ],
  [
    "Drive and firmware",
    {
      [DRIVE_MODEL]: ["Drive model", { is: "drive" }, "search the catalogue, or write it as the drive reports it"],
      "host.block_devices.*.firmware": ["Firmware", text(), "as `nvme list` or `smartctl -i` prints it"],
      "host.block_devices.*.size_bytes": ["Capacity", bytes, "such as 1.6\u00a0TB"],
      "host.block_devices.*.serial_sha256": [
        "Serial number",
        { is: "serial" },
        "hashed here, in the browser; the number itself is not sent",
      ],
      "host.block_devices.*.logical_block_bytes": [
        "Logical block size",
        { is: "bytes", choices: ["512 B", "4096 B"] },
        "the LBA format in use",
      ],
      "host.block_devices.*.link_speed": ["Negotiated link", text(), "such as 16.0 GT/s PCIe ×4"],
      "host.block_devices.*.scheduler": ["I/O scheduler", text("none", "mq-deadline", "kyber", "bfq")],
      "host.file_systems.*.type": ["File system", text("none (raw device)", "xfs", "ext4")],
    },
  ],
  [
    "Over-provisioning and preconditioning",
    {
      "plan.act_storage.over_provisioning": [
        "Over-provisioned share",
        { is: "share" },
        "of the raw capacity, left unused: 21\u00a0% where 79\u00a0% is usable; 0\u00a0% for none",
      ],
      "plan.act_storage.preconditioning": [
        "Preconditioning",
        text(),
        "such as: filled twice with actprep, then salted",
      ],
    },
  ],
  [
    "Load",
    {
      "plan.act_storage.load_multiple": ["Load multiple", amount, "1 is 2,000 reads and 1,000 writes a second"],
      "plan.act_storage.record_bytes": ["Record size", bytes, "such as 1.5\u00a0KiB"],
      "plan.act_storage.file_size_bytes": ["Working set", bytes, "such as 400\u00a0GB"],
      "plan.act_storage.direct_io": ["Direct I/O", { is: "switch" }],
      "plan.fraud.reads_per_transaction": ["Reads per transaction", wholeNumber],
      "plan.fraud.transactions_per_s": ["Transactions per second", amount],
      "plan.fraud.connections": ["Connections", wholeNumber, "all clients and threads together"],
      "plan.fraud.keys": ["Number of keys", wholeNumber, "such as 10M"],
      "plan.fraud.value_bytes": ["Size of a value", bytes, "such as 100 B"],
    },
  ],
  [
    "Server and network",
    {
      "plan.fraud.address": ["Server address", text(), "as the client reached it"],
      "plan.fraud.server": ["Server software", text(), "with its version, such as Redis 7.2.4"],
      "host.network_interfaces.*.speed_mbit_per_s": ["Network speed", amount, "in Mbit/s, such as 25,000"],
    },
  ],
  [
    "Host",
    {
      "host.cpu.model": ["Processor", text(), "as `lscpu` prints it"],
      "host.cpu.sockets": ["Sockets", wholeNumber],
      "host.cpu.cores": ["Cores", wholeNumber, "all sockets together"],
      "host.cpu.governor": ["Frequency governor", text("performance", "powersave", "schedutil", "ondemand")],
      "host.cpu.smt_active": ["Simultaneous multithreading", { is: "switch" }],
      "host.cpu.mitigations": ["Processor mitigations", text("on", "off (mitigations=off)")],
      "host.memory.total_bytes": ["Memory", bytes, "such as 256\u00a0GiB"],
      "host.numa.nodes": ["NUMA nodes", wholeNumber],
      "host.os.kernel": ["Kernel", text(), "as `uname -r` prints it"],
      "host.os.name": ["Operating system", text(), "such as Ubuntu 24.04"],
    },
  ],
];

const FURTHER = "Further facts";
const KNOWN = new Map<string, FieldForm>(
  GROUPS.flatMap(([group, entries]) =>
    Object.entries(entries).map(([field, [label, kind, hint]]): [string, FieldForm] => [
      field,
      { field, label, group, kind, hint: hint ?? null },
    ]),
  ),
);

export type Group = { readonly name: string; readonly fields: readonly FieldForm[] };

/** Returns the missing and the answered facts of a run in groups. Facts unknown to this page get a plain text field. */
export function groupsOf(disclosure: Pick<Disclosure, "missing" | "disclosed">): Group[] {
  const labels = new Map([...disclosure.missing, ...disclosure.disclosed].map((fact) => [fact.field, fact.label]));
  const fields = [...labels].map(
    ([field, label]): FieldForm => KNOWN.get(field) ?? { field, label, group: FURTHER, kind: text(), hint: null },
  );
  const order = [...KNOWN.keys()];
  const place = (form: FieldForm): number => {
    const index = order.indexOf(form.field);
    return index < 0 ? order.length : index;
  };
  return [...GROUPS.map(([name]) => name), FURTHER].flatMap((name) => {
    const own = fields.filter((field) => field.group === name).sort((a, b) => place(a) - place(b));
    return own.length === 0 ? [] : [{ name, fields: own }];
  });
}

const is = (value: AnswerValue): Parsed<AnswerValue> => ({ value, problem: null }) as Parsed<AnswerValue>;
const not = (problem: string): Parsed<AnswerValue> => ({ value: null, problem });

const SHARE = /^(\d+(?:\.\d+)?)\s*%?$/;
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;
export const SHA256 = /^[0-9a-f]{64}$/;

/** Parses typed text into the stored answer. Empty text gives `null`, which removes an answer. */
export function readAnswer(kind: Kind, typed: string): Parsed<AnswerValue> {
  const trimmed = typed.trim();
  if (trimmed === "") return is(null);
  switch (kind.is) {
    case "bytes":
      return parseBytes(trimmed);
    case "whole":
      return parseWhole(trimmed, { least: 0, most: Number.MAX_SAFE_INTEGER, what: "a whole number" });
    case "amount":
      return parseAmount(trimmed, { least: 0, most: Number.MAX_SAFE_INTEGER, what: "a number" });
    case "choice":
      return kind.choices.includes(trimmed) ? is(trimmed) : not(`One of ${kind.choices.join(", ")}.`);
    case "switch":
      return trimmed === "on" ? is(true) : trimmed === "off" ? is(false) : not("On or off.");
    case "share": {
      const match = SHARE.exec(trimmed);
      if (match === null) return not(`“${trimmed}” is not a share. Write per cent, such as 21\u00a0%.`);
      const percent = Number(match[1]);
      return percent < 100
        ? is(Number((percent / 100).toPrecision(14)))
        : not("Less than 100\u00a0%: some must be usable.");
    }
    case "moment":
      return MOMENT.test(trimmed) && !Number.isNaN(Date.parse(trimmed))
        ? is(trimmed)
        : not("Fill in date, time and offset.");
    case "serial":
      return SHA256.test(trimmed) ? is(trimmed) : not("64 hexadecimal digits: the SHA-256 of the serial number.");
    default:
      return trimmed.length <= 2_000 ? is(trimmed) : not("At most 2,000 characters.");
  }
}

const BINARY = [
  ["TiB", 2 ** 40],
  ["GiB", 2 ** 30],
  ["MiB", 2 ** 20],
  ["KiB", 2 ** 10],
] as const;
const DECIMAL = [
  ["TB", 1e12],
  ["GB", 1e9],
  ["MB", 1e6],
] as const;

/** Formats bytes as the shortest exact text; parsing it returns the same number. */
export function writeBytes(value: number): string {
  const exact = (units: readonly (readonly [string, number])[]): string | undefined => {
    const unit = units.find(([, size]) => value >= size && Number.isInteger((value / size) * 100));
    return unit === undefined ? undefined : `${value / unit[1]} ${unit[0]}`;
  };
  const ways = [exact(BINARY), exact(DECIMAL), `${value} B`].filter((way) => way !== undefined);
  return ways.reduce((best, way) => (way.length < best.length ? way : best));
}

/** Formats a stored answer as the text of its field. */
export function writeAnswer(kind: Kind, value: AnswerValue): string {
  if (value === null) return "";
  if (kind.is === "bytes" && typeof value === "number") return writeBytes(value);
  if (kind.is === "share" && typeof value === "number") return String(Number((value * 100).toPrecision(12)));
  if (kind.is === "switch") return value === true ? "on" : value === false ? "off" : String(value);
  return String(value);
}

/** Typed text by field. Fields without an entry show their stored answer. */
export type Draft = Record<string, string | undefined>;

export type ReadDraft = {
  readonly answers: Readonly<Record<string, AnswerValue>>;
  readonly problems: Readonly<Record<string, string>>;
};

/** Returns the changed answers and the problems of a draft. Unchanged fields are in neither. */
export function readDraft(disclosure: Pick<Disclosure, "missing" | "disclosed">, draft: Draft): ReadDraft {
  const answers: Record<string, AnswerValue> = {};
  const problems: Record<string, string> = {};
  for (const { field, kind } of groupsOf(disclosure).flatMap((group) => group.fields)) {
    const typed = draft[field];
    const before = disclosure.disclosed.find((fact) => fact.field === field)?.value ?? null;
    if (typed === undefined || typed.trim() === writeAnswer(kind, before)) continue;
    const { value, problem } = readAnswer(kind, typed);
    if (problem !== null) problems[field] = problem;
    else if (value !== before) answers[field] = value;
  }
  return { answers, problems };
}

/** Facts that differ between the runs of one host and drive. */
const OF_ONE_RUN: readonly string[] = [STARTED_AT];

/** Returns the answers of one run that another run of the upload lacks. Existing answers are not replaced. */
export function answersFor(
  from: Pick<Disclosure, "disclosed">,
  to: Pick<Disclosure, "missing">,
): Record<string, AnswerValue> {
  return Object.fromEntries(
    from.disclosed
      .filter(({ field }) => !OF_ONE_RUN.includes(field) && to.missing.some((fact) => fact.field === field))
      .map(({ field, value }) => [field, value]),
  );
}

/** Returns the SHA-256 in hex, like the agent's; `null` on plain HTTP pages, which have no Web Crypto. */
export async function hashSerial(serial: string): Promise<string | null> {
  if (globalThis.crypto?.subtle === undefined) return null;
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(serial.trim()));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

const two = (value: number): string => String(Math.trunc(Math.abs(value))).padStart(2, "0");

/** Formats an offset in minutes east of UTC as `+01:00`. */
export const writeOffset = (minutes: number): string =>
  `${minutes < 0 ? "-" : "+"}${two(minutes / 60)}:${two(minutes % 60)}`;

/** Splits a moment into local date and time, and offset; missing parts are empty. */
export function splitMoment(typed: string): { local: string; offset: string } {
  const match = /^(.*?)(Z|[+-]\d\d:\d\d)?$/.exec(typed.trim());
  const offset = match?.[2] ?? "";
  return { local: match?.[1] ?? "", offset: offset === "Z" ? "+00:00" : offset };
}

/** UTC offsets in use, from west to east. */
export const OFFSETS: readonly string[] = [
  ...Array.from({ length: 27 }, (_, hour) => (hour - 12) * 60),
  -570,
  -210,
  210,
  270,
  330,
  345,
  390,
  525,
  570,
  630,
  765,
]
  .sort((a, b) => a - b)
  .map(writeOffset);
