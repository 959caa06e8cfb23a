// The page of an evidence file: every verdict on limits is worked out again from the counts in the page, and other questions can be
// asked of them. Nothing is loaded from elsewhere. `npm run generate -w frontend` makes one script of it for the reports of the backend.
import { formatCount, formatInteger, formatLatency, formatLatencyInterval, formatQuantile } from "@/lib/format";
import { shareText } from "@/lib/shares";
import { nanoseconds } from "@/lib/units";
import { sentence } from "@/lib/words";
import { againOf } from "./again";
import { shareLower, shareUpper } from "./confidence";
import { quantileEnds, totalOf } from "./counts";
import { courseOf } from "./course";
import { element, table } from "./elements";
import { type Evidence, type Operation, type Run, type StoredVerdict, unpack } from "./evidence";
import { type Answer, judgeLimits, type LimitRow } from "./judge";
import { questionOf } from "./question";
import type { Judgement, Scope } from "./words";

const QUANTILES = [0.5, 0.9, 0.99, 0.999, 0.9999, 0.99999];

async function begin(): Promise<void> {
  const page = document.getElementById("page");
  const packed = document.getElementById("evidence")?.textContent;
  if (page === null || !packed) return;
  try {
    const evidence = await unpack(packed);
    page.append(...introduction(evidence));
    for (const run of evidence.runs) page.append(...sectionsOf(run, evidence.runs.length > 1));
    page.append(...origin(evidence));
  } catch (error) {
    page.append(element("p", { role: "alert" }, `The evidence in this page cannot be read: ${String(error)}`));
  }
}

function introduction(evidence: Evidence): readonly Node[] {
  const made = `Made ${evidence.made_at.slice(0, 16).replace("T", " ")} UTC by Tailroom ${evidence.tailroom_version}, method ${evidence.method_version}.`;
  return [element("p", { class: "made" }, made)];
}

function sectionsOf(run: Run, hasTitle: boolean): readonly Node[] {
  return [
    ...(hasTitle ? [element("h2", { class: "subject" }, run.title)] : []),
    element("section", { "aria-label": "Verdicts" }, ...run.verdicts.map((verdict) => verdictOf(run, verdict))),
    asking(run),
    element("h2", {}, "Percentiles"),
    percentiles(run),
    ...run.operations.flatMap((operation) =>
      operation.course === null
        ? []
        : [element("h2", {}, `Over time: ${nameOf(operation)}`), courseOf(operation.course, nameOf(operation))],
    ),
    element("h2", {}, "What was measured"),
    table([], run.facts),
  ];
}

function verdictOf(run: Run, stored: StoredVerdict): HTMLElement {
  const { words, verdict, strength, answer, sameness } = againOf(run, stored);
  return element(
    "article",
    { class: "answer", "data-verdict": verdict, "data-strength": strength },
    element("p", { class: "question" }, stored.question || stored.title),
    element("p", { class: "sign" }, words),
    element("p", { class: "sentence" }, sentence(stored.headline)),
    element("p", {}, sentence(stored.reason_text)),
    element("p", {}, scopes(stored.observed, stored.proven, stored.asked, stored.is_counted)),
    element("p", { class: "worked", "data-same": String(sameness.isSame) }, sameness.text),
    ...(answer === null || answer.rows.length === 0 ? [] : [limitTable(answer.rows)]),
  );
}

function scopes(observed: Scope, proven: Scope, asked: number | null, isCounted: boolean): string {
  const one = (scope: Scope): string => {
    const word = scope.verdict === "INDETERMINATE" ? "undecided" : scope.verdict;
    if (scope.lower === null || scope.upper === null) return word;
    return `${word}: ${shareText(scope.lower, scope.upper, { limit: asked, counted: isCounted })}`;
  };
  return `This run ${one(observed)} · for the next run ${one(proven)}`;
}

function asking(run: Run): HTMLElement {
  const field = element("input", { name: "question", placeholder: "p99 read < 1ms", autocomplete: "off" });
  const place = element("div", { role: "status" });
  const form = element(
    "form",
    { "aria-label": `Ask ${run.title}` },
    element("label", {}, "Question", field),
    element("button", { type: "submit" }, "Answer"),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const question = questionOf(field.value);
    if (typeof question === "string") place.replaceChildren(element("p", { role: "alert" }, question));
    else place.replaceChildren(answerOf(judgeLimits(run, question)));
  });
  const there = [...new Set(run.operations.map(({ name }) => name))].join(", ");
  return element(
    "section",
    {},
    element("h2", {}, "Ask it something else"),
    element(
      "p",
      { class: "soft" },
      `A share, an operation (${there || "none is counted"}) and a time: p99.9 < 5ms, 99.9% read < 1ms.`,
    ),
    form,
    place,
  );
}

function answerOf(answer: Answer): HTMLElement {
  const { judgement, rows, note } = answer;
  const [row] = rows;
  const asked = row?.limit.kind === "percentile" ? row.limit.quantile : null;
  return element(
    "article",
    { class: "answer", "data-verdict": judgement.verdict, "data-strength": judgement.strength ?? "" },
    element("p", { class: "sign" }, answer.words),
    element("p", {}, scopes(judgement.observed, judgement.proven, asked, true)),
    ...digits(judgement),
    ...(note ? [element("p", {}, sentence(note))] : []),
    ...(rows.length > 0 ? [limitTable(rows)] : []),
  );
}

/** Every digit of the bounds, for programs that read the page. */
const digits = ({ observed, proven }: Judgement): readonly Node[] =>
  Object.entries({ observed, proven }).flatMap(([name, scope]) =>
    (["lower", "upper"] as const).map((side) =>
      element("data", { class: `${name}-${side}`, value: scope[side] === null ? "" : String(scope[side]) }),
    ),
  );

function limitTable(rows: readonly LimitRow[]): HTMLElement {
  return table(
    ["Limit", "Took so long or longer", "Share", "With 95\u00a0% confidence"],
    rows.map(({ operation, clock, limit, over, total, effective, observed, proven }) => {
      const allowed = limit.kind === "exceedance" ? limit.ratio : 1 - limit.quantile;
      const counts =
        over.lower === over.upper
          ? formatInteger(over.lower)
          : `${formatInteger(over.lower)} to ${formatInteger(over.upper)}`;
      const worth = effective < total ? `, worth ${formatCount(effective)} independent ones` : "";
      return [
        `${operation}, ${clock} time: ${formatLatency(nanoseconds(limit.threshold_ns))}`,
        `${counts} of ${formatInteger(total)}${worth}`,
        shareText(observed.lower, observed.upper, { limit: allowed }),
        shareText(proven.lower, proven.upper, { limit: allowed }),
      ];
    }),
  );
}

function percentiles(run: Run): HTMLElement {
  return table(
    ["Operation", "Operations", ...QUANTILES.map((quantile) => formatQuantile(quantile))],
    run.operations.map((operation) => [
      nameOf(operation),
      formatInteger(totalOf(operation.cells)),
      ...QUANTILES.map((quantile) => {
        const total = totalOf(operation.cells);
        // Beyond the last operation there is no percentile to speak of.
        if (total * (1 - quantile) < 1) return "—";
        const [lower, upper] = quantileEnds(operation.cells, quantile);
        return upper === null
          ? `at least ${formatLatency(nanoseconds(lower), "down")}`
          : formatLatencyInterval(nanoseconds(lower), nanoseconds(upper));
      }),
    ]),
  );
}

const nameOf = ({ name, clock }: Operation): string => `${name}, ${clock} time`;

function origin(evidence: Evidence): readonly Node[] {
  const rows = evidence.files.map(({ name, sha256, bytes }) => [name, `${formatInteger(bytes)} bytes`, sha256]);
  return [
    element("h2", {}, "What this page shows by itself"),
    element(
      "p",
      {},
      "Limits on the share of slow operations are judged here from the counts in the page. How far slow operations come together" +
        " was computed from every slice of the files when the page was made. Verdicts on transactions and rates are shown as they" +
        " were judged then. Against the files themselves, tailroom verify works out everything in their evidence pack.",
    ),
    table(["File", "Size", "SHA-256"], rows),
  ];
}

// A program that reads the script without a page takes what it exports.
if (typeof document !== "undefined") void begin();

export const limitsOf = (over: number, total: number): readonly number[] => [
  shareLower(over, total),
  shareUpper(over, total),
];
export { againOf, judgeLimits, questionOf };
