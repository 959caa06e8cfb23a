// Adds a run or a published configuration.
import { Select } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { publishedSubjectsQuery } from "@/api/comparisons";
import { runListQuery } from "@/api/queries";
import { MOST_SUBJECTS, withSubject } from "@/entities/comparison/subjects";
import { formatMoment } from "@/lib/format";
import classes from "./ComparePage.module.css";

type SubjectPickerProps = { subjects: readonly string[]; onChange: (next: readonly string[]) => void };

const MOST_LISTED = 40;

export function SubjectPicker({ subjects, onChange }: SubjectPickerProps) {
  const runs = useInfiniteQuery(runListQuery({}));
  const published = useQuery(publishedSubjectsQuery());
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
      group: "Published configurations",
      items: (published.data?.subjects ?? []).map((one) => ({ value: one.subject, label: one.label })),
    },
  ].map(({ group, items }) => ({ group, items: items.filter((one) => !chosen.has(one.value)) }));
  return (
    <Select
      className={classes["picker"]}
      aria-label="Add a subject"
      placeholder={full ? "Six are the most" : "Add a run or a published configuration"}
      size="xs"
      searchable
      disabled={full}
      limit={MOST_LISTED}
      nothingFoundMessage="Nothing goes by that name"
      data={data}
      value={null}
      onChange={(value) => {
        if (value !== null) onChange(withSubject(subjects, value));
      }}
    />
  );
}
