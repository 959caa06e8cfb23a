import { useEffect, useState } from "react";
import { copyText } from "@/lib/clipboard";

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
