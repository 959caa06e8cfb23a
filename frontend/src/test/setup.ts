// Test setup: cleans the document after each test, waits as long as a busy machine needs, and adds two browser
// features that happy-dom lacks.
import { cleanup, configure } from "@testing-library/react";
import { afterEach } from "vitest";

// The default of 1 s is too short for a component on a machine that runs other tests.
configure({ asyncUtilTimeout: 15_000 });

afterEach(() => {
  cleanup();
  localStorage.clear();
  sessionStorage.clear();
});

if (window.matchMedia === undefined) {
  window.matchMedia = (query: string) =>
    ({
      matches: false,
      media: query,
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
    }) as unknown as MediaQueryList;
}
if (globalThis.ResizeObserver === undefined) {
  globalThis.ResizeObserver = class {
    observe(): void {}
    unobserve(): void {}
    disconnect(): void {}
  };
}
