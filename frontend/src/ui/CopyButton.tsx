// Renders a button that copies a text and confirms with a check mark.
import { ActionIcon, Button } from "@mantine/core";
import { useEffect, useState } from "react";
import { copyText } from "@/lib/clipboard";
import { IconCheck, IconCopy, IconLink } from "./icons";

type CopyButtonProps = {
  text: string;
  /** Copied text in words, for the label: `the SHA-256 of a.log`. */
  what: string;
};

export function CopyButton({ text, what }: CopyButtonProps) {
  const [copied, copy] = useCopied(2_000);
  return (
    <ActionIcon
      size="sm"
      className="no-print"
      aria-label={copied ? "Copied" : `Copy ${what}`}
      onClick={() => copy(text)}
    >
      {copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
    </ActionIcon>
  );
}

/** Returns whether a text was copied within the last `shownMs`, and a function that copies a text. */
export function useCopied(shownMs: number): [boolean, (text: string) => void] {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), shownMs);
    return () => clearTimeout(timer);
  }, [copied, shownMs]);
  return [copied, (text) => void copyText(text).then(setCopied)];
}

type CopyLinkButtonProps = {
  label: string;
  /** Returns the URL when the button is pressed, so that it is current. */
  address: () => string;
};

export function CopyLinkButton({ label, address }: CopyLinkButtonProps) {
  const [copied, copy] = useCopied(2_500);
  return (
    <Button
      size="xs"
      leftSection={copied ? <IconCheck size={14} /> : <IconLink size={14} />}
      onClick={() => copy(address())}
    >
      <span aria-live="polite">{copied ? "Link copied" : label}</span>
    </Button>
  );
}
