// Global keyboard shortcuts. Shortcuts of a single letter can be switched off, because speech input can trigger them.
import { useEffect, useRef, useState } from "react";
import { readStored, writeStored } from "@/lib/storage";
import { PAGES, type PagePath } from "./pages";

export type ShortcutActions = {
  help: () => void;
  palette: () => void;
  scheme: () => void;
  go: (to: PagePath) => void;
};

const SEQUENCE_MS = 1_200;

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName));

export function useShortcuts(actions: ShortcutActions): { singleKeys: boolean; setSingleKeys: (on: boolean) => void } {
  const [singleKeys, setSingle] = useState(() => readStored("single-keys") !== "off");
  const latest = useRef(actions);
  latest.current = actions;

  useEffect(() => {
    let pressedG = Number.NEGATIVE_INFINITY;
    const onKey = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === "k") {
        event.preventDefault();
        latest.current.palette();
        return;
      }
      const open = document.querySelector("[role=dialog]") !== null;
      if (!singleKeys || open || isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
      const afterG = event.timeStamp - pressedG < SEQUENCE_MS;
      pressedG = Number.NEGATIVE_INFINITY;
      if (event.key === "?") latest.current.help();
      else if (event.key === "g") pressedG = event.timeStamp;
      else if (afterG && event.key === "h") latest.current.go("/");
      else if (afterG) {
        const page = PAGES.find((candidate) => candidate.key === event.key);
        if (page !== undefined) latest.current.go(page.to);
      } else if (event.key === "t") latest.current.scheme();
      else if (event.key === "/") {
        const field = document.querySelector<HTMLElement>('[data-shortcut="/"]');
        if (field === null) return;
        event.preventDefault();
        field.focus();
      }
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [singleKeys]);

  return {
    singleKeys,
    setSingleKeys: (on) => {
      setSingle(on);
      writeStored("single-keys", on ? "on" : "off");
    },
  };
}
