// The first visit in three steps, each of them something that can be done at once. Skipped or finished, it stays away in this browser.
import { Button } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import type { RunSummary } from "@/api/types";
import classes from "./Home.module.css";

const stepsOf = (example: RunSummary | undefined): readonly { title: string; body: ReactNode }[] => [
  {
    title: "Say what you need",
    body: (
      <p>
        Choose “Set my question” at the top: how many reads a transaction makes, and how long it may take. The question
        travels to every page.
      </p>
    ),
  },
  {
    title: "Bring something to judge",
    body: (
      <p>
        <Link to="/drives">Compare drives</Link> that others have tested, or <Link to="/upload">send a log</Link> that
        you have. An agent can also measure your own machine.
      </p>
    ),
  },
  {
    title: "Read the answer",
    body: (
      <p>
        A filled mark is proven for the next run; an outlined one holds for the run that was measured. A dashed ring is
        undecided, and the page says what would decide it. The <Link to="/glossary">glossary</Link> explains every word.
        {example === undefined ? null : (
          <>
            {" "}
            <Link to="/runs/$runId" params={{ runId: example.run_id }}>
              A simulated day
            </Link>{" "}
            shows a drive that fails after 17 hours.
          </>
        )}
      </p>
    ),
  },
];

export function Tour({ example }: { example: RunSummary | undefined }) {
  const [seen, setSeen] = useLocalStorage({ key: "tailroom.tour", defaultValue: "", getInitialValueInEffect: false });
  const [at, setAt] = useState(0);
  const steps = stepsOf(example);
  const step = steps[at];
  if (seen !== "" || step === undefined) return null;
  const end = () => setSeen("seen");
  const last = at === steps.length - 1;
  return (
    <section className={`${classes["tour"]} no-print`} aria-label="First steps">
      <p className="dim" role="status">
        Step {at + 1} of {steps.length}
      </p>
      <h2>{step.title}</h2>
      {step.body}
      <div className={classes["steps"]}>
        <Button size="xs" onClick={() => (last ? end() : setAt(at + 1))}>
          {last ? "Done" : "Next"}
        </Button>
        {at === 0 ? null : (
          <Button size="xs" variant="default" onClick={() => setAt(at - 1)}>
            Back
          </Button>
        )}
        {last ? null : (
          <Button size="xs" variant="subtle" color="gray" onClick={end}>
            Skip
          </Button>
        )}
      </div>
    </section>
  );
}
