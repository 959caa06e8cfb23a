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
