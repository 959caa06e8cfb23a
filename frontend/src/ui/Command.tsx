// Renders a shell command with a copy button.
import { CopyButton } from "./CopyButton";

export function Command({ text }: { text: string }) {
  return (
    <div className="icon-text notice" style={{ background: "var(--sunk)" }}>
      <code className="small mono wrap-anywhere">{text}</code>
      <CopyButton text={text} what={`command ${text}`} />
    </div>
  );
}
