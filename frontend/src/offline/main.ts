// Script of an evidence page: computes every verdict again from the counts in the page, and answers other questions. It
// loads no other files. `npm run offline -w frontend` bundles it for the backend's reports.
import { formatInteger, formatLatency, formatLatencyInterval, formatQuantile, sentence } from "@/lib/format";
import { answerTo } from "./answers";
import { shareLower, shareUpper } from "./confidence";
import { quantileEnds, totalOf } from "./counts";
import { courseOf } from "./course";
import { element, table } from "./elements";
import { type Evidence, type Operation, type Run, type StoredVerdict, unpack } from "./evidence";
import { questionOf } from "./question";
import { asking } from "./questionForm";
import { compareWithStored, shownOf } from "./storedVerdicts";
import { limitTable, scopesText } from "./verdictText";

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
  const { verdict, strength } = shownOf(stored);
  const worked = element("p", { class: "worked" }, "Being worked out again …");
  const article = element(
    "article",
    { class: "answer", "data-verdict": verdict, "data-strength": strength, "aria-busy": "true" },
    element("p", { class: "question" }, stored.question || stored.title),
    element("p", { class: "sign" }, stored.words),
    element("p", { class: "sentence" }, sentence(stored.headline)),
    element("p", {}, sentence(stored.reason_text)),
    element("p", {}, scopesText(stored.observed, stored.proven, stored.asked, stored.is_counted)),
    worked,
  );
  // Models of transactions take seconds: the delay shows the page first, and keeps it usable between verdicts.
  setTimeout(() => {
    const { answer, sameness } = compareWithStored(run, stored);
    worked.textContent = sameness.text;
    worked.dataset["same"] = String(sameness.isSame);
    if (answer !== null && answer.rows.length > 0) article.append(limitTable(answer.rows));
    article.removeAttribute("aria-busy");
  }, 50);
  return article;
}

function percentiles(run: Run): HTMLElement {
  return table(
    ["Operation", "Operations", ...QUANTILES.map((quantile) => formatQuantile(quantile))],
    run.operations.map((operation) => [
      nameOf(operation),
      formatInteger(totalOf(operation.cells)),
      ...QUANTILES.map((quantile) => {
        const total = totalOf(operation.cells);
        // No percentile is shown if less than one operation is beyond it.
        if (total * (1 - quantile) < 1) return "—";
        const [lower, upper] = quantileEnds(operation.cells, quantile);
        return upper === null ? `at least ${formatLatency(lower, "down")}` : formatLatencyInterval(lower, upper);
      }),
    ]),
  );
}

const nameOf = ({ name, clock }: Operation): string => `${name}, ${clock} time`;

function origin(evidence: Evidence): readonly Node[] {
  const hasModels = evidence.runs.some(({ operations }) => operations.some(({ model }) => model !== null));
  const rows = evidence.files.map(({ name, sha256, bytes }) => [name, `${formatInteger(bytes)} bytes`, sha256]);
  return [
    element("h2", {}, "What this page shows by itself"),
    element(
      "p",
      {},
      "Verdicts are judged here from the counts in the page: limits on the share of slow operations, rates, and transactions," +
        " measured or modelled from groups of similar slices. How far slow operations come together, which slices are alike, and" +
        " whether measured transactions contradict the model was computed from every slice of the files when the page was made." +
        " Against the files themselves, tailroom verify works out everything in their evidence pack.",
    ),
    ...(hasModels ? [] : [element("p", {}, WITHOUT_MODELS)]),
    table(["File", "Size", "SHA-256"], rows),
  ];
}

const WITHOUT_MODELS =
  "The groups of slices are not in this page, because nothing was counted or it would be too large with them: it works out no" +
  " transactions, and shows verdicts on them as they were judged.";

// Programs can import the script without a page and use its exports.
if (typeof document !== "undefined") void begin();

export const limitsOf = (over: number, total: number): readonly number[] => [
  shareLower(over, total),
  shareUpper(over, total),
];
export { answerTo, compareWithStored, questionOf };
