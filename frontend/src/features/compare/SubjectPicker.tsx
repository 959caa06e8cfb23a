// Field that adds a run, a campaign, a drive or a published configuration.
import { Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { campaignsQuery } from "@/api/campaigns";
import { publishedSubjectsQuery } from "@/api/comparisons";
import { driveSearchQuery } from "@/api/drivePage";
import { runListQuery } from "@/api/queries";
import { MOST_SUBJECTS, withSubject } from "@/entities/comparison/subjects";
import { formatMoment } from "@/lib/format";
import type { TemplateName } from "./address";

type SubjectPickerProps = {
  subjects: readonly string[];
  onChange: (next: readonly string[]) => void;
  /** Template whose kind of subject alone can be chosen; undefined: any kind. */
  only: TemplateName | undefined;
};

const MOST_LISTED = 40;
const SETTLED_MS = 200;

export function SubjectPicker({ subjects, onChange, only }: SubjectPickerProps) {
  const [search, setSearch] = useState("");
  const [sought] = useDebouncedValue(search, SETTLED_MS);
  const runs = useInfiniteQuery(runListQuery({}));
  const published = useQuery(publishedSubjectsQuery());
  const drives = useQuery(driveSearchQuery(sought, MOST_LISTED));
  const campaigns = useQuery(campaignsQuery());
  const chosen = new Set(subjects);
  const full = subjects.length >= MOST_SUBJECTS;
  const data = [
    {
      group: "Runs",
      items: (runs.data?.pages.flatMap((page) => page.runs) ?? []).map((run) => ({
        value: `run:${run.run_id}`,
        label: `${run.title} · ${formatMoment(run.started_at)}`,
      })),
    },
    {
      group: "Drives",
      items: (drives.data?.drives ?? []).map((drive) => ({
        value: `drive:${drive.slug}`,
        label: `${drive.vendor} ${drive.name}`,
      })),
    },
    {
      group: "Campaigns",
      items: (campaigns.data?.campaigns ?? [])
        .filter((campaign) => campaign.phases.some((phase) => phase.run_id !== null))
        .map((campaign) => ({
          value: `campaign:${campaign.campaign_id}`,
          label: `${campaign.title} · ${formatMoment(campaign.created_at)}`,
        })),
    },
    {
      group: "Published configurations",
      items: (published.data?.subjects ?? []).map((subject) => ({ value: subject.subject, label: subject.label })),
    },
  ]
    .filter(({ group }) => only === undefined || (group === "Drives") === (only === "drives"))
    .map(({ group, items }) => ({ group, items: items.filter((choice) => !chosen.has(choice.value)) }));
  return (
    <Select
      w="min(420px, 80vw)"
      aria-label="Add a subject"
      placeholder={full ? "Six are the most" : only === "drives" ? "Add a drive" : "Add a run, a campaign, a drive …"}
      size="xs"
      searchable
      searchValue={search}
      onSearchChange={setSearch}
      disabled={full}
      limit={MOST_LISTED}
      nothingFoundMessage="Nothing has that name"
      data={data}
      value={null}
      onChange={(value) => {
        setSearch("");
        if (value !== null) onChange(withSubject(subjects, value));
      }}
    />
  );
}
