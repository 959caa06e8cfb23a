// The readout position, shared by all charts of a page that have the same x axis: all measurements of a moment are
// shown together, by pointer and by keyboard alike.
import { createContext, type ReactNode, useCallback, useContext, useState, useSyncExternalStore } from "react";

/** A value of x instead of an index: live data may add and merge points under the reader's finger. */
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
    // A chart that lets go of its position must not take away that of another axis.
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

/** The position of the cursor on this axis, and functions to move it; a chart outside a shared cursor has its own. */
export function useCursor(axis: string): [number | null, (x: number | null) => void] {
  const shared = useContext(Shared);
  const [own] = useState(() => new CursorStore());
  const store = shared ?? own;
  const x = useSyncExternalStore(store.subscribe, () => store.at(axis));
  const move = useCallback((to: number | null) => store.move(axis, to), [store, axis]);
  return [x, move];
}
