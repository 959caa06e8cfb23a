// Stores saved items in this browser as text; readers validate it. Listeners in every tab are notified of changes.
import { readStored, writeStored } from "./storage";

const KEY = "saved";
const listeners = new Set<() => void>();

export const savedText = (): string => readStored(KEY) ?? "";

export function saveText(text: string): void {
  writeStored(KEY, text);
  for (const listener of listeners) listener();
}

export function watchSaved(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener("storage", listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", listener);
  };
}
