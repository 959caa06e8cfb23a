// Folded part of a tab, whose heading contains the state: an accordion item with its panel.
import { Accordion } from "@mantine/core";
import type { ReactNode } from "react";

export function Section({ name, state, children }: { name: string; state?: string | undefined; children: ReactNode }) {
  // The value becomes part of ids, which must not contain spaces.
  return (
    <Accordion.Item value={name.replaceAll(" ", "-")}>
      <Accordion.Control>
        <strong>{name}</strong> {state === undefined ? null : <span className="dim">{state}</span>}
      </Accordion.Control>
      <Accordion.Panel>
        <div className="form">{children}</div>
      </Accordion.Panel>
    </Accordion.Item>
  );
}
