// Copies a text that is shown beside it, and says that it did.
import { ActionIcon } from "@mantine/core";
import { useEffect, useState } from "react";
import { copyText } from "@/lib/clipboard";
import { IconCheck, IconCopy } from "./icons";

type CopyButtonProps = {
  text: string;
  /** What is copied, in words: `the SHA-256 of a.log`. */
  what: string;
};

export function CopyButton({ text, what }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="sm"
      className="no-print"
      aria-label={copied ? "Copied" : `Copy ${what}`}
      onClick={() => void copyText(text).then(setCopied)}
    >
      {copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
    </ActionIcon>
  );
}
