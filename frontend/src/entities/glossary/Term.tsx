// Renders a glossary term in a text. Pressing it opens its definition.
import { Popover } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useId } from "react";
import classes from "./Term.module.css";
import { entryOf, type TermId } from "./terms";

export function Term({ id, children }: { id: TermId; children: ReactNode }) {
  const meaningId = useId();
  const { word, meaning } = entryOf(id);
  return (
    <Popover width={280} position="bottom-start" shadow="md" withRoles={false} trapFocus returnFocus>
      <Popover.Target>
        <button type="button" className={`plain-button ${classes["term"]}`} aria-haspopup="dialog">
          {children}
        </button>
      </Popover.Target>
      <Popover.Dropdown
        role="dialog"
        aria-label={word}
        aria-describedby={meaningId}
        className="stack-4 small"
        maw="calc(100vw - 32px)"
        fw={400}
        ta="left"
      >
        <p>
          <strong>{word}</strong>
        </p>
        <p id={meaningId}>{meaning}</p>
        <p>
          <Link to="/glossary" hash={id}>
            All words
          </Link>
        </p>
      </Popover.Dropdown>
    </Popover>
  );
}
