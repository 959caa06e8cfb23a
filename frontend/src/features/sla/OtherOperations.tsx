// Links to the other operations of a run that lacks the question's operation.
import { Anchor } from "@mantine/core";
import { Fragment } from "react";
import type { RunDetail } from "@/api/types";
import { operationsName } from "@/entities/run/words";
import type { SlaChange } from "./address";

type OtherOperationsProps = {
  run: Pick<RunDetail, "series"> | undefined;
  op: string;
  onChoose: (change: SlaChange) => void;
};

export function OtherOperations({ run, op, onChoose }: OtherOperationsProps) {
  const operations = [...new Set(run?.series.map((series) => series.operation))];
  if (operations.length === 0 || operations.includes(op)) return null;
  return (
    <p>
      This run has no {operationsName(op)}. Ask about{" "}
      {operations.map((operation, index) => (
        <Fragment key={operation}>
          {index === 0 ? "" : " or "}
          <Anchor component="button" onClick={() => onChoose({ op: operation, clock: undefined })}>
            {operationsName(operation)}
          </Anchor>
        </Fragment>
      ))}
      .
    </p>
  );
}
