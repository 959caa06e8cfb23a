// Renders the collapsed section on an answer's basis: bounds, clock, samples, sources, method. It is open in print.
import type { ReactNode } from "react";
import classes from "./EvidenceDetails.module.css";

export function EvidenceDetails({ children }: { children: ReactNode }) {
  return (
    <details className={classes["how"]}>
      <summary>How we know</summary>
      <div className={classes["body"]}>{children}</div>
    </details>
  );
}
