// Search palette for runs, drives, publications, pages and actions. Loaded when first opened.
import { Kbd, useMantineColorScheme } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { driveSearchQuery } from "@/api/drivePage";
import { publicationListQuery } from "@/api/publications";
import { runListQuery } from "@/api/queries";
import { workloadName } from "@/entities/run/words";
import { copyText } from "@/lib/clipboard";
import { joinParts } from "@/lib/format";
import { Dialog } from "@/ui/Dialog";
import classes from "./Palette.module.css";
import { MORE_PAGES, PAGES } from "./pages";

type Entry = {
  id: string;
  group: "Pages" | "Actions" | "Runs" | "Drives" | "Publications";
  label: string;
  hint: string;
  run: () => void;
};

const MOST_RUNS = 8;
const MOST_DRIVES = 6;

export function Palette({ opened, onClose, onHelp }: { opened: boolean; onClose: () => void; onHelp: () => void }) {
  return (
    <Dialog opened={opened} onClose={onClose} title="Find runs, drives, publications, pages and actions" bare>
      <PaletteSearch onClose={onClose} onHelp={onHelp} />
    </Dialog>
  );
}

function PaletteSearch({ onClose, onHelp }: { onClose: () => void; onHelp: () => void }) {
  const [query, setQuery] = useState("");
  const [active, setActive] = useState(0);
  const [debounced] = useDebouncedValue(query.trim(), 150);
  const listId = useId();
  const list = useRef<HTMLDivElement>(null);
  const navigate = useNavigate();
  const { toggleColorScheme } = useMantineColorScheme();
  const runs = useInfiniteQuery(runListQuery(debounced === "" ? {} : { q: debounced }));

  // Drives and publications are fetched after the first character, because there are too many to list.
  const drives = useQuery({ ...driveSearchQuery(debounced, MOST_DRIVES), enabled: debounced !== "" });
  const publications = useQuery({ ...publicationListQuery(), enabled: debounced !== "" });
  const isSearching =
    query.trim() !== debounced ||
    runs.isPending ||
    (debounced !== "" && (drives.isPending || drives.isPlaceholderData || publications.isPending));
  // Enter during a search opens the first result of that search, not of the previous one.
  const [isEntered, setEntered] = useState(false);

  const page = (
    to: (typeof PAGES | typeof MORE_PAGES)[number]["to"] | "/" | "/settings" | "/operations",
    label: string,
    hint = "",
  ): Entry => ({
    id: to,
    group: "Pages",
    label,
    hint,
    run: () => void navigate({ to }),
  });
  const action = (label: string, hint: string, run: () => void): Entry => ({
    id: label,
    group: "Actions",
    label,
    hint,
    run,
  });
  const fixed = [
    page("/", "First page", "g h"),
    ...PAGES.map(({ to, label, key }) => page(to, label, `g ${key}`)),
    ...MORE_PAGES.map(({ to, label }) => page(to, label)),
    page("/settings", "Settings"),
    page("/operations", "Operations"),
    action("Send result files", "", () => void navigate({ to: "/upload" })),
    action("Switch between light and dark", "t", toggleColorScheme),
    action("Copy the link to this page", "", () => void copyText(window.location.href)),
    action("Keyboard shortcuts", "?", onHelp),
  ];
  const lowered = query.trim().toLowerCase();
  const runEntries: Entry[] = (runs.data?.pages[0]?.runs ?? []).slice(0, MOST_RUNS).map((run) => ({
    id: run.run_id,
    group: "Runs",
    label: run.title,
    hint: joinParts([run.state === "finished" ? "" : "live", workloadName(run.workload), run.host_name]),
    run: () => void navigate({ to: "/runs/$runId", params: { runId: run.run_id } }),
  }));
  const driveEntries: Entry[] = (drives.data?.drives ?? []).map((drive) => ({
    id: `drive ${drive.slug}`,
    group: "Drives",
    label: `${drive.vendor} ${drive.name}`,
    hint: drive.matched ?? "",
    run: () => void navigate({ to: "/drives/$slug", params: { slug: drive.slug } }),
  }));
  const publicationEntries: Entry[] = (publications.data?.publications ?? [])
    .filter(({ title, publisher }) => `${title} ${publisher}`.toLowerCase().includes(lowered))
    .map((document) => ({
      id: `publication ${document.slug}`,
      group: "Publications",
      label: document.title,
      hint: document.publisher,
      run: () => void navigate({ to: "/publications/$slug", params: { slug: document.slug } }),
    }));
  const entries = [
    ...runEntries,
    // Earlier answers are cached while nothing is typed.
    ...(lowered === "" || debounced === "" ? [] : [...driveEntries, ...publicationEntries]),
    ...fixed.filter((entry) => entry.label.toLowerCase().includes(lowered)),
  ];
  const chosen = Math.min(active, entries.length - 1);

  useEffect(() => {
    list.current?.querySelector(`[data-index="${chosen}"]`)?.scrollIntoView({ block: "nearest" });
  }, [chosen]);

  const choose = (entry: Entry | undefined) => {
    if (entry === undefined) return;
    onClose();
    entry.run();
  };

  useEffect(() => {
    if (!isEntered || isSearching) return;
    setEntered(false);
    choose(entries[chosen]);
  });

  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && entries.length > 0) {
      event.preventDefault();
      setActive((chosen + step + entries.length) % entries.length);
    } else if (event.key === "Enter") {
      event.preventDefault();
      if (isSearching && active === 0) setEntered(true);
      else choose(entries[chosen]);
    }
  };

  return (
    <>
      <input
        className={classes["input"]}
        type="text"
        role="combobox"
        aria-label="Find runs, drives, publications, pages and actions"
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={entries[chosen] === undefined ? undefined : `${listId}-${chosen}`}
        aria-autocomplete="list"
        autoComplete="off"
        placeholder="Find a run, a drive, a publication, a page"
        data-autofocus
        value={query}
        onChange={(event) => {
          setQuery(event.currentTarget.value);
          setActive(0);
          setEntered(false);
        }}
        onKeyDown={onKey}
      />
      <div
        ref={list}
        id={listId}
        role="listbox"
        aria-label="Found"
        style={{ maxHeight: "50vh", padding: 8, overflowY: "auto" }}
      >
        {entries.map((entry, index) => (
          // The field above handles the keyboard, the options handle the pointer.
          // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox handles the keys
          <div
            key={entry.id}
            id={`${listId}-${index}`}
            data-index={index}
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            className={classes["entry"]}
            onPointerMove={() => setActive(index)}
            onClick={() => choose(entry)}
          >
            <span className="dim smaller" style={{ flex: "none", width: 56 }}>
              {entries[index - 1]?.group === entry.group ? "" : entry.group}
            </span>
            <span className="truncate" style={{ flex: 1, minWidth: 0 }}>
              {entry.label}
            </span>
            {["Runs", "Drives", "Publications"].includes(entry.group) ? (
              <span className="dim">{entry.hint}</span>
            ) : entry.hint === "" ? null : (
              <Kbd size="xs">{entry.hint}</Kbd>
            )}
          </div>
        ))}
      </div>
      {entries.length === 0 ? (
        <p style={{ padding: "8px 16px 16px", color: "var(--ink-3)" }}>Nothing is called that.</p>
      ) : null}
    </>
  );
}
