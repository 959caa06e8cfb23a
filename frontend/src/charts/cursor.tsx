// Shares the readout position among charts with the same x axis, so that all show the same moment.
import { createContext, type ReactNode, useCallback, useContext, useState, useSyncExternalStore } from "react";

/** Stores a value of x, not an index: live data can add and merge points during reading. */
class CursorStore {
  #axis: string | null = null;
  #x: number | null = null;
  readonly #listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  at(axis: string): number | null {
    return this.#axis === axis ? this.#x : null;
  }

  move(axis: string, x: number | null): void {
    // A chart that clears its position must not clear the position on another axis.
    if (x === null && this.#axis !== axis) return;
    this.#axis = axis;
    this.#x = x;
    for (const listener of this.#listeners) listener();
  }
}

const Shared = createContext<CursorStore | null>(null);

export function SharedCursor({ children }: { children: ReactNode }) {
  const [store] = useState(() => new CursorStore());
  return <Shared.Provider value={store}>{children}</Shared.Provider>;
}

/** Returns the cursor position on `axis` and a setter. A chart outside `SharedCursor` has a cursor of its own. */
export function useCursor(axis: string): [number | null, (x: number | null) => void] {
  const shared = useContext(Shared);
  const [own] = useState(() => new CursorStore());
  const store = shared ?? own;
  const x = useSyncExternalStore(store.subscribe, () => store.at(axis));
  const move = useCallback((to: number | null) => store.move(axis, to), [store, axis]);
  return [x, move];
}
