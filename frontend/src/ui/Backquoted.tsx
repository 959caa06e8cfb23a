// Renders a text with its parts in backquotes, commands and file contents, as code.
export function Backquoted({ text }: { text: string }) {
  return text.split("`").map((part, index) =>
    // The parts of a fixed sentence keep their order.
    // biome-ignore lint/suspicious/noArrayIndexKey: static text
    index % 2 === 1 ? <code key={index}>{part}</code> : part,
  );
}
