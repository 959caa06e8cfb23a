// Drawer with all filters: values with their number of rows, and typed filters.
import { Button, Checkbox, Drawer, Group, SegmentedControl, TextInput } from "@mantine/core";
import { useId, useState } from "react";
import type { Leaderboard } from "@/api/types";
import { formatInteger, plural } from "@/lib/format";
import { plainOf } from "@/lib/search";
import {
  type DrivesDraft,
  LIST_FILTERS,
  type ListFilter,
  shownText,
  type TypedFilter,
  toggled,
  valuesOf,
  writeList,
} from "./address";
import { chipsOf, FILTER_WORDS, NO_FILTERS, SCOPES } from "./filters";
import type { QuestionState } from "./question";

type FilterSheetProps = {
  opened: boolean;
  onClose: () => void;
  draft: DrivesDraft;
  problems: QuestionState["problems"];
  answer: Leaderboard | undefined;
  count: string;
};

/** Number of values of a filter shown before the rest is folded. */
const FIRST_VALUES = 8;

const STICKY = { position: "sticky", zIndex: 1, background: "var(--canvas)" } as const;
const PAIR = { display: "grid", gridTemplateColumns: "1fr 1fr", gap: 8 };

export function FilterSheet({ opened, onClose, draft, problems, answer, count }: FilterSheetProps) {
  const { shown, edit, choose } = draft;
  const typed = (key: TypedFilter) => ({
    value: shownText(shown, key),
    error: problems[key],
    autoComplete: "off",
    spellCheck: false,
    onChange: (event: { currentTarget: { value: string } }) => {
      const text = event.currentTarget.value;
      edit({ [key]: text.trim() === "" ? undefined : plainOf(text) });
    },
  });
  return (
    <Drawer.Root opened={opened} onClose={onClose} position="right" size={360}>
      <Drawer.Overlay />
      <Drawer.Content aria-label="Filters">
        <Group gap={12} style={{ ...STICKY, top: 0, padding: "16px 16px 12px", borderBottom: "1px solid var(--line)" }}>
          <h2>Filters</h2>
          <span className="dim" role="status">
            {count}
          </span>
          <Drawer.CloseButton ml="auto" aria-label="Close the filters" />
        </Group>
        <div className="stack-24" style={{ padding: 16 }}>
          <div className="stack-8">
            <span className="strong" id="filter-scope">
              Whose results
            </span>
            <SegmentedControl
              size="xs"
              fullWidth
              aria-labelledby="filter-scope"
              value={shownText(shown, "scope", "all")}
              data={SCOPES.map(({ value, label }) => ({ value, label }))}
              onChange={(value) => choose({ scope: value === "all" ? undefined : value })}
            />
          </div>
          <div className="stack-8">
            <div style={PAIR}>
              <TextInput
                size="xs"
                label="Tested in or after"
                placeholder="2019"
                inputMode="numeric"
                {...typed("year_min")}
              />
              <TextInput size="xs" label="Least DWPD" placeholder="3" inputMode="decimal" {...typed("dwpd_min")} />
            </div>
            <div style={PAIR}>
              <TextInput size="xs" label="Least load held" placeholder="10x" {...typed("load_min")} />
            </div>
            <Checkbox
              size="xs"
              label="Tested to failure"
              checked={shown.failed !== undefined}
              onChange={(event) => choose({ failed: event.currentTarget.checked ? "yes" : undefined })}
            />
          </div>
          {LIST_FILTERS.map((filter) => (
            <ListGroup key={filter} filter={filter} draft={draft} answer={answer} />
          ))}
          <fieldset className="stack-8">
            <legend className="strong">Capacity</legend>
            <div style={PAIR}>
              <TextInput size="xs" label="At least" placeholder="400 GB" {...typed("capacity_min")} />
              <TextInput size="xs" label="At most" placeholder="2 TB" {...typed("capacity_max")} />
            </div>
          </fieldset>
          <div className="stack-8">
            <TextInput
              size="xs"
              label="Price, at most"
              placeholder="500"
              description="Rows without a price are left out, and what is rented."
              inputMode="decimal"
              {...typed("price_max")}
            />
          </div>
        </div>
        <Group grow gap={8} style={{ ...STICKY, bottom: 0, padding: "12px 16px", borderTop: "1px solid var(--line)" }}>
          <Button disabled={chipsOf(shown).length === 0} onClick={() => choose(NO_FILTERS)}>
            Clear all
          </Button>
          <Button variant="filled" onClick={onClose}>
            {answer === undefined ? "Close" : `Show ${plural(answer.total, "row")}`}
          </Button>
        </Group>
      </Drawer.Content>
    </Drawer.Root>
  );
}

type ListGroupProps = { filter: ListFilter; draft: DrivesDraft; answer: Leaderboard | undefined };

function ListGroup({ filter, draft, answer }: ListGroupProps) {
  const titleId = useId();
  const [all, setAll] = useState(false);
  const { title, name } = FILTER_WORDS[filter];
  const chosen = valuesOf(draft.shown, filter);
  const facets = answer?.facets[filter] ?? [];
  // Chosen values stay visible, even if no row has them.
  const facetValues = facets.map(({ value }) => value);
  const values = [
    ...facets,
    ...chosen.filter((value) => !facetValues.includes(value)).map((value) => ({ value, count: 0 })),
  ];
  if (values.length === 0) return null;
  const shown = all ? values : values.filter(({ value }, index) => index < FIRST_VALUES || chosen.includes(value));
  const hidden = values.length - shown.length;
  return (
    <fieldset className="stack-8" aria-labelledby={titleId}>
      <legend className="strong" id={titleId}>
        {title}
      </legend>
      {shown.map(({ value, count }) => (
        <Checkbox
          key={value}
          size="xs"
          styles={{ labelWrapper: { flex: 1 } }}
          checked={chosen.includes(value)}
          onChange={() => draft.choose({ [filter]: writeList(toggled(chosen, value)) })}
          label={
            <Group component="span" justify="space-between" align="stretch" wrap="nowrap" gap={12}>
              <span>{name(value)}</span>
              <span className="dim num">{formatInteger(count)}</span>
            </Group>
          }
        />
      ))}
      {hidden > 0 ? (
        <Button className="self-start" size="compact-xs" variant="subtle" onClick={() => setAll(true)}>
          {hidden} more
        </Button>
      ) : null}
    </fieldset>
  );
}
