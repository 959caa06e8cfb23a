// Choice of the kind of comparison, each with its question and the subjects to choose.
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { TemplateName } from "./address";
import classes from "./ComparePage.module.css";

type Template = { readonly name: TemplateName | undefined; readonly label: string };

const TEMPLATES: readonly Template[] = [
  { name: undefined, label: "Anything" },
  { name: "drives", label: "Drives" },
  { name: "before-after", label: "Before and after" },
  { name: "drives-in-server", label: "Drives in one server" },
  { name: "cost", label: "Cost and watts" },
  { name: "chain", label: "Chain" },
  { name: "server-generations", label: "Server generations" },
  { name: "networks", label: "Networks" },
  { name: "production", label: "Production" },
];

/** Question and instruction of the templates whose subjects the reader chooses. */
export const CHOOSING: { readonly [Name in TemplateName]?: { readonly question: string; readonly choose: string } } = {
  drives: {
    question: "Which drive holds more load?",
    choose: "Add two to six drives. Each is compared by the test whose conditions are most like those of the others.",
  },
  "before-after": {
    question: "What did the change do?",
    choose: "Add the run before the change, then the run after it. What changed between them is listed.",
  },
  "drives-in-server": {
    question: "Does the server scale with its drives?",
    choose: "Add runs of one server with one drive, two drives and so on. Rates are those of each drive.",
  },
  production: {
    question: "Which would have carried the load of production?",
    choose:
      "Add the run that was read from Prometheus or OpenTelemetry, then drives, runs, campaigns or published configurations that were tested.",
  },
};

type TemplateHeadProps = { question: string; answer: string; children?: ReactNode };

/** Renders the head of a template that is a page of its own: its question, and the answer as the page's heading. */
export const TemplateHead = ({ question, answer, children }: TemplateHeadProps) => (
  <header className="stack-12">
    <p className="muted wrap-anywhere">{question}</p>
    <h1 className={`answer-title ${classes["headline"]}`}>{answer}</h1>
    {children}
  </header>
);

export function Templates({ current, of }: { current: TemplateName | undefined; of: string | undefined }) {
  return (
    <nav className="nav-line no-print" aria-label="Kinds of comparison">
      {TEMPLATES.map(({ name, label }) => (
        <Link
          key={label}
          to="/compare"
          search={{ ...(of === undefined ? {} : { of }), ...(name === undefined ? {} : { template: name }) }}
          activeOptions={{ exact: true, includeSearch: false }}
          aria-current={name === current ? "page" : undefined}
          data-current={name === current || undefined}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}
