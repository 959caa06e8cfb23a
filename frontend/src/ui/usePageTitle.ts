// Sets the title of the browser tab.
import { useDocumentTitle } from "@mantine/hooks";

export const usePageTitle = (title: string | null): void =>
  useDocumentTitle(title === null ? "Tailroom" : `${title} · Tailroom`);
