// Opens all collapsed sections while the page is printed.
import { useWindowEvent } from "@mantine/hooks";
import { useRef } from "react";

export function usePrintWhole(): void {
  const opened = useRef<HTMLDetailsElement[]>([]);
  useWindowEvent("beforeprint", () => {
    const folded = document.querySelectorAll<HTMLDetailsElement>("details:not([open])");
    for (const details of folded) details.open = true;
    opened.current.push(...folded);
  });
  useWindowEvent("afterprint", () => {
    for (const details of opened.current) details.open = false;
    opened.current = [];
  });
}
