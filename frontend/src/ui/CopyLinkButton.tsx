// Copies an address, and says on itself that it did.
import { Button } from "@mantine/core";
import { IconCheck, IconLink } from "./icons";
import { useCopied } from "./useCopied";

type CopyLinkButtonProps = {
  label: string;
  /** Asked for when it is pressed, so that it is the address of that moment. */
  address: () => string;
};

export function CopyLinkButton({ label, address }: CopyLinkButtonProps) {
  const [copied, copy] = useCopied(2_500);
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={copied ? <IconCheck size={14} /> : <IconLink size={14} />}
      onClick={() => copy(address())}
    >
      <span aria-live="polite">{copied ? "Link copied" : label}</span>
    </Button>
  );
}
