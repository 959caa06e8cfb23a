// What the page remembers in this browser. A browser that forbids storage forgets; nothing breaks.

export function remembered(key: string): string | null {
  try {
    return window.localStorage.getItem(`tailroom.${key}`);
  } catch {
    return null;
  }
}

export function remember(key: string, value: string): void {
  try {
    window.localStorage.setItem(`tailroom.${key}`, value);
  } catch {
    // Private mode or a full store: the choice lasts until the page is left.
  }
}
