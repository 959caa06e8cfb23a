// Sets the title of the browser tab.
import { useEffect } from "react";

export function usePageTitle(title: string | null): void {
  useEffect(() => {
    document.title = title === null ? "Tailroom" : `${title} · Tailroom`;
  }, [title]);
}
