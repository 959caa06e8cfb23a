// Paper cannot unfold: folded sections are open while the page is printed.
import { useEffect } from "react";

export function usePrintWhole(): void {
  useEffect(() => {
    let opened: HTMLDetailsElement[] = [];
    const open = () => {
      const folded = document.querySelectorAll<HTMLDetailsElement>("details:not([open])");
      for (const details of folded) details.open = true;
      opened.push(...folded);
    };
    const close = () => {
      for (const details of opened) details.open = false;
      opened = [];
    };
    window.addEventListener("beforeprint", open);
    window.addEventListener("afterprint", close);
    return () => {
      window.removeEventListener("beforeprint", open);
      window.removeEventListener("afterprint", close);
    };
  }, []);
}
