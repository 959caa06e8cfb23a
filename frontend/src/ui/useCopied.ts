// Copies a text and says for a moment that it did.
import { useEffect, useState } from "react";
import { copyText } from "@/lib/clipboard";

/** Whether something was copied just now, and what copies a text. */
export function useCopied(shownMs: number): [boolean, (text: string) => void] {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), shownMs);
    return () => clearTimeout(timer);
  }, [copied, shownMs]);
  return [copied, (text) => void copyText(text).then(setCopied)];
}
