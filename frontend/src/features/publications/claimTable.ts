// Layout of a printed table's claims: attributes that differ inside a row become columns, those that differ between
// rows stay in the row, shared conditions are printed once above. Irregular tables become a list of claims.
import type { Schemas } from "@/api/types";
import { type PrintedNumber, printedText } from "@/lib/printed";
import { conditionName, conditionText, metricName, quantityName, thresholdText } from "./words";

export type ClaimLike = Schemas["ClaimOut"];
export type RowLike = Schemas["ClaimRowOut"];
export type TableLike = Schemas["ClaimTableOut"];

const ATTRIBUTES = [
  "quantity",
  "threshold_ns",
  "metric_class",
  "config",
  "statistic",
  "operation",
  "workload",
] as const;
type Attribute = (typeof ATTRIBUTES)[number];

export type TableView = ReturnType<typeof tableView>;

/** Text column beside the numbers, such as load, date, or a condition that differs from row to row. */
type Side = {
  readonly key: string;
  readonly name: string;
  readonly of: (row: RowLike) => string | null;
};

const MOST_COLUMNS = 9;
const LEAST_FILLED = 0.5;

const unique = <Value>(values: readonly Value[]): Value[] => [...new Set(values)];

/** Returns the distinct values of an attribute without null: a gain has no configuration, which makes no column. */
const statedValues = (claims: readonly ClaimLike[], attribute: Attribute): unknown[] =>
  unique(claims.map((claim) => claim[attribute])).filter((value) => value !== null);

/** Returns whether an attribute distinguishes claims: two values, or one quantity with and without a value. */
function varies(claims: readonly ClaimLike[], attribute: Attribute): boolean {
  if (statedValues(claims, attribute).length > 1) return true;
  const quantities = unique(claims.map((claim) => claim.quantity));
  return quantities.some(
    (quantity) =>
      unique(claims.filter((claim) => claim.quantity === quantity).map((claim) => claim[attribute])).length > 1,
  );
}

const keyIn = (attributes: readonly Attribute[], claim: ClaimLike): string =>
  attributes.map((attribute) => String(claim[attribute] ?? "")).join("|");

export function tableView({ rows }: TableLike) {
  const claims = rows.flatMap((row) => row.claims);
  const within = ATTRIBUTES.filter((attribute) => rows.some((row) => varies(row.claims, attribute)));
  const between = ATTRIBUTES.filter((attribute) => !within.includes(attribute) && varies(claims, attribute));
  const columns = columnsOf(claims, within, between);
  const cells = rows.flatMap((row) =>
    columns.map((column) => row.claims.some((claim) => keyIn(within, claim) === column.key)),
  );
  const filled = cells.filter(Boolean).length / Math.max(1, cells.length);
  const matrix =
    rows.length > 0 && columns.length <= MOST_COLUMNS && filled >= LEAST_FILLED && !between.includes("quantity");
  const shared = sharedOf(claims, [...within, ...between]);
  // A row without a label is named by its subject.
  const sameSubject =
    rows.length > 1 && unique(rows.map((row) => row.subject)).length === 1 && rows.every((row) => row.label !== null);
  const bySubject = columns.some((column) => column.subject !== null);
  return {
    layout: matrix ? "matrix" : "list",
    columns: matrix ? columns : [],
    sides: sidesOf(rows),
    /** Conditions that all rows share. */
    shared: matrix && sameSubject && !bySubject ? [{ name: "About", text: rows[0]?.subject ?? "" }, ...shared] : shared,
    /** Returns the subject of a row; null if the columns or the heading name it. */
    subject: (row: RowLike) => (matrix && (bySubject || sameSubject) ? null : row.subject),
    /** Returns the attributes that the label of a row lacks: statistic, operation, workload; null without any. */
    reading: ({ claims: [first] }: RowLike) =>
      // In a list each claim names its own attributes.
      matrix && first !== undefined ? attributesText(first, IN_ROW, between) : null,
    cell: (row: RowLike, column: { readonly key: string }) =>
      row.claims.filter((claim) => keyIn(within, claim) === column.key),
  };
}

const IN_COLUMN = ["metric_class", "config", "statistic", "operation", "workload"] as const;
const IN_ROW = ["quantity", "operation", "statistic", "workload", "metric_class", "config"] as const;

/** Returns the columns, with their subjects if every column has exactly one and they differ. */
function columnsOf(claims: readonly ClaimLike[], within: readonly Attribute[], between: readonly Attribute[]) {
  const columns = new Map<string, { first: ClaimLike; subjects: Set<string> }>();
  for (const claim of claims) {
    const key = keyIn(within, claim);
    const column = columns.get(key) ?? { first: claim, subjects: new Set() };
    columns.set(key, column);
    column.subjects.add(claim.subject);
  }
  const all = [...columns.values()];
  const bySubject =
    all.every(({ subjects }) => subjects.size === 1) && unique(all.map(({ first }) => first.subject)).length > 1;
  return [...columns].map(([key, { first }]) => ({
    key,
    name: between.includes("quantity") ? "Value" : columnName(first),
    detail: attributesText(first, IN_COLUMN, within),
    subject: bySubject ? first.subject : null,
  }));
}

function columnName(claim: ClaimLike): string {
  if (claim.threshold_ns === null) return quantityName(claim.quantity);
  return thresholdText(claim.quantity, claim.threshold_ns);
}

/** Returns the name of a claim in a list: `share under 7 ms`, `latency, mean`. */
export function claimName(claim: ClaimLike): string {
  const parts = [
    columnName(claim),
    claim.statistic,
    claim.operation === null || claim.operation === "ALL" ? null : claim.operation.toLowerCase(),
    claim.workload === null ? null : `workload ${claim.workload}`,
    claim.metric_class === null ? null : metricName(claim.metric_class),
    claim.config,
  ];
  return parts.filter((part) => part !== null).join(", ");
}

type NamedAttribute = Exclude<Attribute, "threshold_ns">;

/** Returns the attributes in `shown` as text, in the given order; null if the claim states none of them. */
function attributesText(
  claim: ClaimLike,
  order: readonly NamedAttribute[],
  shown: readonly Attribute[],
): string | null {
  const texts: Record<NamedAttribute, string | null> = {
    ...claim,
    quantity: quantityName(claim.quantity),
    metric_class: metricName(claim.metric_class),
    workload: claim.workload === null ? null : `workload ${claim.workload}`,
  };
  const stated = order.flatMap((attribute) => (shown.includes(attribute) ? (texts[attribute] ?? []) : []));
  return stated.length === 0 ? null : stated.join(", ");
}

/** Returns a load as text: `3x`, `145x (435,000)`, `1M reads/s + 250k writes/s`, or as printed; null without a load. */
export function loadText(load: ClaimLike["load"]): string | null {
  if (load === null) return null;
  if (load.multiple !== null) {
    const multiple = `${Number(load.multiple.toPrecision(6))}x`;
    return load.as_printed === null || load.as_printed === multiple ? multiple : `${multiple} (${load.as_printed})`;
  }
  if (load.as_printed !== null) return load.as_printed;
  const parts = [
    load.reads_per_s === null ? null : `${printedText(perSecond(load.reads_per_s))}\u00a0reads/s`,
    load.writes_per_s === null ? null : `${printedText(perSecond(load.writes_per_s))} writes/s`,
    load.operations_per_s === null ? null : `${printedText(perSecond(load.operations_per_s))}\u00a0ops/s`,
  ];
  const text = parts.filter((part) => part !== null).join(" + ");
  return text === "" ? null : text;
}

const perSecond = (value: number): PrintedNumber => ({ value, lower: value, upper: value, unit: "count" });

/** Returns the condition that all claims of a row share; null if they differ or lack it. */
function conditionIn(row: RowLike, key: string): string | null {
  const texts = unique(row.claims.map((claim) => conditionOf(claim, key)));
  return texts.length === 1 ? (texts[0] ?? null) : null;
}

const OVER_PROVISIONED = "over_provisioned";
const OVER_PROVISIONING = "over_provisioning_ratio";

function conditionOf({ conditions }: ClaimLike, key: string): string | null {
  const text = conditionText(key, conditions[key]);
  const share =
    key === OVER_PROVISIONED && conditions[key] === true
      ? conditionText(OVER_PROVISIONING, conditions[OVER_PROVISIONING])
      : null;
  return share === null ? text : `${text}, ${share}`;
}

/** Returns whether another condition of the row contains the given one, such as a value beside its printed text. */
function isRepeated(key: string, keys: readonly string[]): boolean {
  if (key === OVER_PROVISIONING) return keys.includes(OVER_PROVISIONED);
  if (!key.endsWith("_as_printed")) return false;
  const stem = key.slice(0, -"_as_printed".length);
  return (
    stem === "workload" ||
    keys.some((candidate) => candidate !== key && (candidate === stem || candidate.startsWith(`${stem}_`)))
  );
}

const conditionKeys = (claims: readonly ClaimLike[]): string[] => {
  const keys = unique(claims.flatMap((claim) => Object.keys(claim.conditions)));
  return keys.filter((key) => !isRepeated(key, keys));
};

function sidesOf(rows: readonly RowLike[]): Side[] {
  const sides: Side[] = [];
  const load = (row: RowLike) =>
    unique(row.claims.map((claim) => loadText(claim.load))).find((text) => text !== null) ?? null;
  if (unique(rows.map(load)).some((text) => text !== null)) sides.push({ key: "load", name: "Load", of: load });
  for (const key of conditionKeys(rows.flatMap((row) => row.claims))) {
    const texts = unique(rows.map((row) => conditionIn(row, key)));
    if (texts.length > 1) sides.push({ key, name: conditionName(key), of: (row) => conditionIn(row, key) });
  }
  if (rows.some((row) => row.test_date_as_printed !== null)) {
    sides.push({ key: "test_date", name: "Tested", of: (row) => row.test_date_as_printed });
  }
  return sides;
}

function sharedOf(claims: readonly ClaimLike[], differing: readonly Attribute[]) {
  const [first] = claims;
  if (first === undefined) return [];
  const metric = differing.includes("metric_class")
    ? null
    : metricName(claims.find((claim) => claim.metric_class !== null)?.metric_class ?? null);
  const conditions = conditionKeys(claims).flatMap((key) => {
    const text = conditionOf(first, key);
    if (text === null || claims.some((claim) => conditionOf(claim, key) !== text)) return [];
    return [{ name: conditionName(key), text }];
  });
  return metric === null ? conditions : [{ name: "Timed", text: metric }, ...conditions];
}
