// Renders the collapsed section on an answer's basis: bounds, clock, samples, sources, method. It is open in print.
import type { ReactNode } from "react";

export function EvidenceDetails({ children }: { children: ReactNode }) {
  return (
    <details className="fold">
      <summary className="small">How we know</summary>
      <div className="stack-16" style={{ paddingTop: 12 }}>
        {children}
      </div>
    </details>
  );
}
