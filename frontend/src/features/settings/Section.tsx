// Folded part of a tab, whose heading contains the state: an accordion item with its panel.
import { Accordion, PasswordInput, type PasswordInputProps } from "@mantine/core";
import type { ReactNode } from "react";
import { CopyButton } from "@/ui/CopyButton";

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

export function OneTimeSecret({ what, text }: { what: string; text: string }) {
  return (
    <div role="status" className="stack-8 panel">
      <p>Copy {what} now: it is not shown again.</p>
      <p className="wrap-anywhere" style={{ whiteSpace: "pre-line" }}>
        <code>{text}</code> <CopyButton text={text} what={what} />
      </p>
    </div>
  );
}

/** Renders the field for the password that a change requires of people who have one. */
export const OwnPassword = (props: PasswordInputProps) => (
  <PasswordInput description="Leave it empty if you have none." autoComplete="current-password" {...props} />
);
