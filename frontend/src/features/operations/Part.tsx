import { type ReactNode, useId } from "react";
import { ScrollRegion } from "@/ui/ScrollRegion";
import classes from "./Operations.module.css";

/** A table with its heading, or the sentence that says why there is none. */
export function Part({ title, empty, children }: { title: string; empty: string | null; children: ReactNode }) {
  const id = useId();
  return (
    <section className={classes["section"]} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {empty === null ? (
        <ScrollRegion label={`${title}, as a table`} maxHeight={420}>
          {children}
        </ScrollRegion>
      ) : (
        <p className="dim">{empty}</p>
      )}
    </section>
  );
}
