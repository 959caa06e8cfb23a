// Renders a scrolling part of a page. It is focusable, so that the keyboard can scroll it.
import type { ReactNode } from "react";
import classes from "./ScrollRegion.module.css";

type ScrollRegionProps = { label: string; maxHeight?: number; children: ReactNode };

export function ScrollRegion({ label, maxHeight, children }: ScrollRegionProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    <div
      role="group"
      className={classes["region"]}
      style={{ maxHeight }}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: without focus the keyboard cannot scroll it
      tabIndex={0}
      aria-label={label}
    >
      {children}
    </div>
  );
}
