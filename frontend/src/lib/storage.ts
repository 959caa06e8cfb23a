// Reads and writes small settings in local storage. Failures are ignored: the page works without stored settings.

export function readStored(key: string): string | null {
  try {
    return window.localStorage.getItem(`tailroom.${key}`);
  } catch {
    return null;
  }
}

export function writeStored(key: string, value: string): void {
  try {
    window.localStorage.setItem(`tailroom.${key}`, value);
  } catch {
    // Private mode or full storage: the setting lasts until the page is closed.
  }
}

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
