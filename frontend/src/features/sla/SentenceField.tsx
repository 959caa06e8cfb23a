// Value in a sentence that opens its own control.
import { Popover } from "@mantine/core";
import { type ReactNode, useEffect, useState } from "react";
import { unbroken } from "@/lib/format";
import classes from "./QuestionSentence.module.css";

type SentenceFieldProps = {
  label: string;
  text: string;
  broken?: boolean;
  /** Whether the shortcut `/` focuses this button. */
  first?: boolean;
  /** Whether the control opens by itself when its value becomes invalid. */
  opensBroken?: boolean;
  children: (close: () => void) => ReactNode;
};

export function SentenceField({
  label,
  text,
  broken = false,
  first = false,
  opensBroken = false,
  children,
}: SentenceFieldProps) {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    if (broken && opensBroken) setOpen(true);
  }, [broken, opensBroken]);
  const close = () => setOpen(false);
  return (
    <Popover opened={open} onChange={setOpen} position="bottom-start" trapFocus returnFocus shadow="md">
      <Popover.Target>
        <button
          type="button"
          className={`plain-button ${classes["blank"]}`}
          aria-label={`${label}: ${unbroken(text)}`}
          data-broken={broken || undefined}
          {...(first ? { "data-shortcut": "/" } : {})}
          onClick={() => setOpen((before) => !before)}
        >
          {unbroken(text)}
        </button>
      </Popover.Target>
      <Popover.Dropdown>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: OwnerSignIn in the field closes its control */}
        <div
          style={{ maxWidth: "min(560px, 86vw)", fontSize: "0.875rem" }}
          onKeyDown={(event) => {
            if (event.key === "Enter" && event.target instanceof HTMLInputElement) close();
          }}
        >
          {children(close)}
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}
