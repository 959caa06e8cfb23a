// Part of a section that its title opens.
import type { ReactNode } from "react";

export function Part({ title, open = false, children }: { title: string; open?: boolean; children: ReactNode }) {
  return (
    <details className="card" open={open}>
      <summary className="strong" style={{ padding: "8px 16px" }}>
        {title}
      </summary>
      <div className="stack-16" style={{ padding: "0 16px 16px" }}>
        {children}
      </div>
    </details>
  );
}
