// Renders two forms for further questions: on the share of slow operations, in one line; on transactions, in fields.
import { exactPercent, formatLatency, sentence } from "@/lib/format";
import { answerTo } from "./answers";
import { element } from "./elements";
import type { Question, Run } from "./evidence";
import type { Answer } from "./judge";
import type { Scheduling, Stage } from "./plans";
import { questionOf, type StageFields, transactionsOf } from "./question";
import { limitTable, scopesText } from "./verdictText";
import type { Judgement } from "./words";

export function asking(run: Run): HTMLElement {
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
    ...aboutOperations(run),
    ...(run.operations.some(({ model }) => model !== null) ? aboutTransactions(run) : []),
  );
}

function aboutOperations(run: Run): readonly Node[] {
  const field = element("input", { name: "question", placeholder: "p99 read < 1ms", autocomplete: "off" });
  const label = element("label", {}, "Question", field);
  return questionForm(run, { name: `Ask ${run.title}`, button: "Answer", fields: [label] }, () =>
    questionOf(field.value),
  );
}

const SCHEDULINGS: Readonly<Record<Scheduling, string>> = {
  sequential: "one after another",
  parallel: "all at once",
  waves: "in waves of",
  pool: "by a pool of",
};

function aboutTransactions(run: Run): readonly Node[] {
  const names = [...new Set(run.operations.flatMap(({ name, model }) => (model === null ? [] : name)))];
  const answering = [...new Set([...Object.keys(run.named), ...names])].filter((name) => {
    const place = run.named[name];
    return typeof place === "number" && run.operations[place]?.model != null && name !== "transaction";
  });
  const window = element("input", { name: "window", value: "1s", size: 8 });
  const share = element("input", { name: "share", value: "99.9%", size: 8 });
  const stages = [stageInputs(answering, "")];
  const fields = element("div", { class: "stages" }, ...stages.map(({ labels }) => element("div", {}, ...labels)));
  const more = element("button", { type: "button" }, "And then another operation");
  more.addEventListener("click", () => {
    const stage = stageInputs(answering, `-${stages.length + 1}`);
    stages.push(stage);
    fields.append(element("div", {}, element("span", {}, "and then"), ...stage.labels));
    more.disabled = stages.length >= MOST_STAGES;
  });
  const read = () =>
    transactionsOf({ stages: stages.map((stage) => stage.read()), window: window.value, share: share.value });
  return [
    element(
      "p",
      { class: "soft" },
      "A transaction of several operations, and the share of transactions that must keep a time. A random number of them:" +
        " 100: 90%, 250: 10%.",
    ),
    ...questionForm(
      run,
      {
        name: `Ask about transactions of ${run.title}`,
        button: "Answer for transactions",
        fields: [
          fields,
          ...(run.joint.length > 0 ? [more] : []),
          element("label", {}, "Within", window),
          element("label", {}, "For a share of", share),
        ],
      },
      read,
    ),
  ];
}

/** Most stages in the form; budget documents can have more. */
const MOST_STAGES = 4;

type StageInputs = { readonly labels: readonly HTMLElement[]; readonly read: () => StageFields };

function stageInputs(names: readonly string[], suffix: string): StageInputs {
  const count = element("input", { name: `count${suffix}`, value: suffix === "" ? "250" : "1", size: 12 });
  const operation = options(Object.fromEntries(names.map((name) => [name, name])), `operation${suffix}`);
  const scheduling = options(SCHEDULINGS, `scheduling${suffix}`);
  const fanOut = element("input", {
    name: `at-once${suffix}`,
    value: "16",
    inputmode: "numeric",
    size: 4,
    disabled: "",
  });
  scheduling.addEventListener("change", () => {
    fanOut.disabled = scheduling.value === "sequential" || scheduling.value === "parallel";
  });
  return {
    labels: [
      element("label", {}, "Operations", count),
      element("label", {}, "Operation", operation),
      element("label", {}, "How", scheduling),
      element("label", {}, "At once", fanOut),
    ],
    read: () => ({
      operation: operation.value,
      count: count.value,
      scheduling: scheduling.value as Scheduling,
      fanOut: fanOut.value,
    }),
  };
}

function options(texts: Readonly<Record<string, string>>, name: string): HTMLSelectElement {
  const entries = Object.entries(texts).map(([value, text]) => element("option", { value }, text));
  return element("select", { name }, ...entries);
}

type Form = { readonly name: string; readonly button: string; readonly fields: readonly HTMLElement[] };

function questionForm(run: Run, { name, button, fields }: Form, read: () => Question | string): readonly Node[] {
  const place = element("div", { role: "status" });
  const form = element("form", { "aria-label": name }, ...fields, element("button", { type: "submit" }, button));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const question = read();
    if (typeof question === "string") {
      place.replaceChildren(element("p", { role: "alert" }, question));
      return;
    }
    place.replaceChildren(element("p", {}, "Working it out …"));
    // The delay lets the browser draw the text before the calculation, which can take some seconds.
    setTimeout(() => {
      const answer = answerTo(run, question);
      const shown = typeof answer === "string" ? element("p", { role: "alert" }, answer) : answerOf(answer, question);
      place.replaceChildren(shown);
    }, 20);
  });
  return [form, place];
}

function answerOf(answer: Answer, question: Question): HTMLElement {
  const { judgement, rows, note, basis } = answer;
  const isCounted = question.kind !== "transactions";
  return element(
    "article",
    { class: "answer", "data-verdict": judgement.verdict, "data-strength": judgement.strength ?? "" },
    ...(question.kind === "transactions" ? [element("p", { class: "question" }, textOf(question))] : []),
    element("p", { class: "sign" }, answer.words),
    element("p", {}, scopesText(judgement.observed, judgement.proven, requiredShare(question), isCounted)),
    ...digits(judgement),
    ...(basis ? [element("p", {}, sentence(basis))] : []),
    ...(note ? [element("p", {}, sentence(note))] : []),
    ...(rows.length > 0 ? [limitTable(rows)] : []),
  );
}

function requiredShare(question: Question): number | null {
  if (question.kind === "transactions") return question.objective;
  const limit = question.kind === "limits" ? question.limits[0] : undefined;
  return limit?.kind === "percentile" ? limit.quantile : null;
}

function textOf({ plan, objective, window_ns }: Extract<Question, { kind: "transactions" }>): string {
  const share = exactPercent(objective);
  return `${share} of transactions: ${plan.map(stageText).join(", then ")}, within ${formatLatency(window_ns)}`;
}

function stageText({ count, operation, scheduling, fan_out: fanOut }: Stage): string {
  const size = scheduling === "waves" || scheduling === "pool" ? ` ${fanOut}` : "";
  const number =
    typeof count === "number"
      ? String(count)
      : count.map(([each, weight]) => `${each} (${exactPercent(weight)})`).join(" or ");
  return `${number} ${operation}, ${SCHEDULINGS[scheduling]}${size}`;
}

/** Renders hidden elements with all digits of the bounds, for programs that read the page. */
const digits = ({ observed, proven }: Judgement): readonly Node[] =>
  Object.entries({ observed, proven }).flatMap(([name, scope]) =>
    (["lower", "upper"] as const).map((side) =>
      element("data", { class: `${name}-${side}`, value: scope[side] === null ? "" : String(scope[side]) }),
    ),
  );
