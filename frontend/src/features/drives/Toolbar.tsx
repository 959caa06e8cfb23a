// Toolbar of the table: search, filters, columns, order on small screens, row count, and exports.
import { Button, Checkbox, Group, Menu, Popover, Select, TextInput } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { copyText } from "@/lib/clipboard";
import { plainOf } from "@/lib/search";
import { IconColumns, IconCross, IconDownload, IconFilter, IconLink, IconSearch } from "@/ui/icons";
import { DEFAULT_SORT, type DrivesDraft, type SortKey, shownText, toggled } from "./address";
import { COLUMN_KEYS, COLUMNS, shownColumns, writeColumns } from "./columns";
import { chipsOf, NO_FILTERS, showsTable } from "./filters";

type ToolbarProps = {
  draft: DrivesDraft;
  narrow: boolean;
  /** Number of rows as text: `37 of 85 rows`. */
  count: string;
  onFilters: () => void;
  children?: ReactNode;
};

export function Toolbar({ draft, narrow, count, onFilters, children }: ToolbarProps) {
  const { shown, edit, choose } = draft;
  const chips = chipsOf(shown);
  return (
    <div className="stack-8 no-print">
      <search className="row" aria-label="Find drives">
        <TextInput
          flex={{ base: "1 1 100%", sm: "0 1 264px" }}
          aria-label="Vendor or drive"
          placeholder="Vendor or drive"
          data-shortcut="/"
          leftSection={<IconSearch size={14} />}
          value={shownText(shown, "search")}
          onChange={(event) => {
            const text = event.currentTarget.value;
            edit({ search: text.trim() === "" ? undefined : plainOf(text) });
          }}
        />
        <Button leftSection={<IconFilter size={14} />} onClick={onFilters}>
          Filters{chips.length === 0 ? "" : ` (${chips.length})`}
        </Button>
        {!showsTable(shown) ? null : narrow ? <Order draft={draft} /> : <Columns draft={draft} />}
        {children}
        <p className="strong num" style={{ marginLeft: "auto" }} role="status">
          {count}
        </p>
      </search>
      {chips.length === 0 ? null : (
        <Group component="ul" gap={6} className="plain-list" aria-label="Filters at work">
          {chips.map((chip) => (
            <li key={chip.key}>
              <Button
                size="compact-xs"
                radius="xl"
                rightSection={<IconCross size={10} />}
                aria-label={`Take away the filter ${chip.text}`}
                onClick={() => choose(chip.without)}
              >
                {chip.text}
              </Button>
            </li>
          ))}
          {chips.length < 2 ? null : (
            <li>
              <Button size="compact-xs" variant="subtle" onClick={() => choose(NO_FILTERS)}>
                Clear all
              </Button>
            </li>
          )}
        </Group>
      )}
    </div>
  );
}

const NAMES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(COLUMNS.map(({ key, label, name }) => [key, name ?? label])),
  loads: "Every load",
};

function Columns({ draft }: { draft: DrivesDraft }) {
  const shown = shownColumns(draft.shown);
  return (
    <Popover position="bottom-start" shadow="md" width={272} trapFocus>
      <Popover.Target>
        <Button leftSection={<IconColumns size={14} />}>Columns</Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Columns">
        <div className="stack-8">
          {COLUMN_KEYS.map((key) => (
            <Checkbox
              key={key}
              size="xs"
              label={NAMES[key]}
              checked={shown.includes(key)}
              onChange={() => draft.choose({ columns: writeColumns(toggled(shown, key)) })}
            />
          ))}
          <Button
            size="compact-xs"
            variant="subtle"
            disabled={draft.shown.columns === undefined}
            onClick={() => draft.choose({ columns: undefined })}
          >
            The usual columns
          </Button>
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}

const ORDERS: { value: SortKey; label: string }[] = [
  { value: "rating", label: "Best rating first" },
  { value: "-rating", label: "Lowest rating first" },
  { value: "exceedance", label: "Fewest slow reads first" },
  { value: "drive", label: "By name" },
  { value: "-capacity", label: "Largest first" },
  { value: "price_per_ktps", label: "Cheapest per kTPS first" },
  { value: "watts_per_ktps", label: "Fewest watts per kTPS first" },
];

function Order({ draft }: { draft: DrivesDraft }) {
  const sort = draft.shown.sort ?? DEFAULT_SORT;
  return (
    <Select
      aria-label="Order"
      flex="1 1 160px"
      data={ORDERS}
      value={ORDERS.some((order) => order.value === sort) ? sort : null}
      placeholder="Order"
      onChange={(value) => draft.choose({ sort: value === DEFAULT_SORT ? undefined : (value as SortKey) })}
    />
  );
}

type ExportActionsProps = {
  /** Address of the API's CSV response to the same question, for scripts; null without a question. */
  address: string | null;
  onShortCsv: () => Promise<void>;
  onCsv: () => Promise<void>;
  onJson: () => Promise<void>;
};

/** Copies the page's link, and saves its rows as files. */
export function ExportActions({ address, onShortCsv, onCsv, onJson }: ExportActionsProps) {
  const [notice, setSaid] = useState("");
  const tell = (what: string) => (done: boolean) => {
    setSaid(done ? `${what} copied` : "The browser does not let this page copy");
    setTimeout(() => setSaid(""), 3000);
  };
  return (
    <div className="row no-print">
      <Button
        size="xs"
        leftSection={<IconLink size={14} />}
        onClick={() => void copyText(window.location.href).then(tell("Link"))}
      >
        Copy link
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button size="xs" leftSection={<IconDownload size={14} />}>
            Export
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item disabled={address === null} onClick={() => void onShortCsv()}>
            Short CSV: ten columns with the question
          </Menu.Item>
          <Menu.Item disabled={address === null} onClick={() => void onCsv()}>
            CSV: these rows, every column
          </Menu.Item>
          <Menu.Item disabled={address === null} onClick={() => void onJson()}>
            JSON: these rows with the question
          </Menu.Item>
          <Menu.Item
            disabled={address === null}
            onClick={() => void copyText(new URL(address ?? "", window.location.href).href).then(tell("Address"))}
          >
            Copy the address for scripts
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <span className="dim" role="status" style={{ display: notice === "" ? "none" : undefined }}>
        {notice}
      </span>
    </div>
  );
}
