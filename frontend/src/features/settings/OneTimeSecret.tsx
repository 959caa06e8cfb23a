// Secret that is shown only once, with a copy button.
import { CopyButton } from "@/ui/CopyButton";

export function OneTimeSecret({ what, text }: { what: string; text: string }) {
  return (
    <div role="status" className="stack-8 panel">
      <p>Copy {what} now: it is not shown again.</p>
      <p className="wrap-anywhere" style={{ whiteSpace: "pre-line" }}>
        <code>{text}</code> <CopyButton text={text} what={what} />
      </p>
    </div>
  );
}
