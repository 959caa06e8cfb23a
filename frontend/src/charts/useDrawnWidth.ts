// Width at which a picture is drawn. The browser prints a page as it was drawn on the screen, which may be wider than
// paper.
import { useElementSize, useWindowEvent } from "@mantine/hooks";
import { useState } from "react";
import { flushSync } from "react-dom";

/** Width of A4 inside the margins of a browser, in CSS pixels. */
const PAPER_PX = 718;

/** Returns the width of the element with the ref; in print at most that of paper. */
export function useDrawnWidth() {
  const { ref, width } = useElementSize();
  const [isPrinted, setPrinted] = useState(false);
  // The browser prints the page as it is when the event handler returns.
  useWindowEvent("beforeprint", () => flushSync(() => setPrinted(true)));
  useWindowEvent("afterprint", () => setPrinted(false));
  return { ref, width: isPrinted ? Math.min(width, PAPER_PX) : width };
}
