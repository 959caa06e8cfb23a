// Renders a button that copies a text and confirms with a check mark.
import { ActionIcon } from "@mantine/core";
import { IconCheck, IconCopy } from "./icons";
import { useCopied } from "./useCopied";

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
