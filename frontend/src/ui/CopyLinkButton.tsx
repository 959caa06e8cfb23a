// Copies an address, and says on itself that it did.
import { Button } from "@mantine/core";
import { useEffect, useState } from "react";
import { copyText } from "@/lib/clipboard";
import { IconCheck, IconLink } from "./icons";

type CopyLinkButtonProps = {
  label: string;
  /** Asked for when it is pressed, so that it is the address of that moment. */
  address: () => string;
};

export function CopyLinkButton({ label, address }: CopyLinkButtonProps) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2_500);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={copied ? <IconCheck size={14} /> : <IconLink size={14} />}
      onClick={() => void copyText(address()).then(setCopied)}
    >
      <span aria-live="polite">{copied ? "Link copied" : label}</span>
    </Button>
  );
}
