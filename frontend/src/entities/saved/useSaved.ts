// Returns the saved items: the account's if signed in, else those of this browser.
import { useMutation, useQuery } from "@tanstack/react-query";
import { useMemo, useSyncExternalStore } from "react";
import { sessionQuery } from "@/api/queries";
import { changeSaved, type SavedItem, savedQuery } from "@/api/saved";
import { savedText, saveText, watchSaved } from "@/lib/storage";
import { MOST_SAVED, readItems } from "./items";

export function useSaved() {
  const text = useSyncExternalStore(watchSaved, savedText);
  const own = useMemo(() => readItems(text), [text]);
  const session = useQuery({ ...sessionQuery(), retry: false }).data;
  const inAccount = session?.person != null;
  const account = useQuery({ ...savedQuery(readItems), enabled: inAccount });
  const changing = useMutation({
    mutationFn: (item: SavedItem, { client }) =>
      changeSaved(client, isIn(items, item) ? { remove: [item.address] } : { add: [item] }),
  });
  const items = inAccount ? (account.data?.items ?? []) : own;
  return {
    items,
    where: inAccount ? "In your account" : "In this browser alone",
    isSaved: (item: SavedItem) => isIn(items, item),
    /** Saves the item, or removes it if it is saved. */
    toggle: (item: SavedItem) => {
      if (inAccount) changing.mutate(item);
      else {
        const others = own.filter((candidate) => candidate.address !== item.address);
        saveText(JSON.stringify((others.length < own.length ? others : [item, ...others]).slice(0, MOST_SAVED)));
      }
    },
    error: changing.error ?? account.error,
  };
}

const isIn = (items: readonly SavedItem[], item: SavedItem): boolean =>
  items.some((candidate) => candidate.address === item.address);
