// Renders a button that copies a URL and shows "Link copied".
import { Button } from "@mantine/core";
import { IconCheck, IconLink } from "./icons";
import { useCopied } from "./useCopied";

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
