// Renders a shell command with a copy button.
import classes from "./Command.module.css";
import { CopyButton } from "./CopyButton";

export function Command({ text }: { text: string }) {
  return (
    <div className={classes["command"]}>
      <code>{text}</code>
      <CopyButton text={text} what={`command ${text}`} />
    </div>
  );
}
