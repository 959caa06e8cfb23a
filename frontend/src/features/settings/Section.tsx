// Parts of a tab: its result above everything else, and folded parts.
import { Accordion, PasswordInput, type PasswordInputProps } from "@mantine/core";
import type { FormEventHandler, ReactNode } from "react";
import { CopyButton } from "@/ui/CopyButton";

/** Shows the result of a tab, with a note below it. */
export function TabLead({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <header className="lead">
      <h2>{title}</h2>
      {children === null ? null : <p className="dim">{children}</p>}
    </header>
  );
}

type SectionProps = {
  name: string;
  state?: string | undefined;
  /** Makes the part a form. */
  onSubmit?: FormEventHandler<HTMLFormElement>;
  children: ReactNode;
};

/** Renders an accordion item whose heading contains the state. */
export function Section({ name, state, onSubmit, children }: SectionProps) {
  // The value becomes part of ids, which must not contain spaces.
  return (
    <Accordion.Item value={name.replaceAll(" ", "-")}>
      <Accordion.Control>
        <strong>{name}</strong> {state === undefined ? null : <span className="dim">{state}</span>}
      </Accordion.Control>
      <Accordion.Panel>
        {onSubmit === undefined ? (
          <div className="form">{children}</div>
        ) : (
          <form className="form" onSubmit={onSubmit}>
            {children}
          </form>
        )}
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
