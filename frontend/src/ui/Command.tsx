// A command to type, with a button that copies it.
import { ActionIcon } from "@mantine/core";
import { useEffect, useState } from "react";
import { copyText } from "@/lib/clipboard";
import classes from "./Command.module.css";
import { IconCheck, IconCopy } from "./icons";

export function Command({ text }: { text: string }) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <div className={classes["command"]}>
      <code>{text}</code>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="sm"
        className="no-print"
        aria-label={copied ? "Copied" : `Copy command ${text}`}
        onClick={() => void copyText(text).then(setCopied)}
      >
        {copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
      </ActionIcon>
    </div>
  );
}
