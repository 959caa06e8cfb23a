// What an answer rests on: bounds, clock, samples, sources, method. Folded, because it changes no verdict; on paper it is open.
import type { ReactNode } from "react";
import classes from "./HowWeKnow.module.css";

export function HowWeKnow({ children }: { children: ReactNode }) {
  return (
    <details className={classes["how"]}>
      <summary>How we know</summary>
      <div className={classes["body"]}>{children}</div>
    </details>
  );
}
