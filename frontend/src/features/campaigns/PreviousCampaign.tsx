// Comparison of a repeated campaign with the campaign that it repeats, phase by phase.
import { useQueries, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type Campaign, campaignQuery } from "@/api/campaigns";
import { comparisonQuery } from "@/api/comparisons";
import { figuresQuery, isWorkedOut } from "@/api/queries";
import { searchOf } from "@/entities/comparison/subjects";
import { DataTable } from "@/ui/DataTable";
import { Section } from "@/ui/Section";

/** Compares a campaign with the campaign that it repeats; null if it repeats none. */
export function PreviousCampaign({ campaign }: { campaign: Campaign }) {
  return campaign.repeat_of === null ? null : <PhaseComparison campaign={campaign} before={campaign.repeat_of} />;
}

function PhaseComparison({ campaign, before }: { campaign: Campaign; before: string }) {
  const last = useQuery(campaignQuery(before)).data;
  const pairs = last === undefined ? [] : pairsOf(last, campaign);
  const workedOut = useQueries({
    queries: pairs.map(({ runId }) => figuresQuery(runId)),
    combine: (all) => all.map(({ data }) => isWorkedOut(data)),
  });
  const comparisons = useQueries({
    queries: pairs.map(({ subjects }, index) => ({
      ...comparisonQuery(subjects, undefined),
      enabled: workedOut[index] === true,
    })),
  });
  return (
    <Section title="Compared with the last time">
      <p className="dim">
        <Link to="/campaigns/$campaignId" params={{ campaignId: before }}>
          The campaign that this one repeats
        </Link>
      </p>
      {pairs.length === 0 ? (
        <p>No phase has a record in both yet.</p>
      ) : (
        <DataTable
          label="Phases compared with the last time, as a table"
          plain="cards"
          rows={pairs}
          columns={[
            { header: "Phase", accessorKey: "name", meta: { isRowHeader: true } },
            {
              header: "This time against the last",
              accessorFn: (_, index) => {
                const { data, error } = comparisons[index] ?? {};
                return data?.pairs[0]?.headline ?? (error ? error.message : "being compared");
              },
            },
            {
              header: "Figures",
              accessorFn: ({ name, subjects }) => (
                <Link to="/compare" search={searchOf(subjects)} aria-label={`Compare ${name} with the last time`}>
                  Compare
                </Link>
              ),
            },
          ]}
        />
      )}
    </Section>
  );
}

/** Returns measured phases with equal number and name that have runs in both campaigns: the run in the present
 * campaign, and both as subjects, the earlier first. */
export function pairsOf(last: Pick<Campaign, "phases">, now: Pick<Campaign, "phases">) {
  return now.phases.flatMap(({ number, name, kind, run_id }) => {
    const before = last.phases.find((phase) => phase.number === number && phase.name === name)?.run_id ?? null;
    if (kind !== "measure" || run_id === null || before === null) return [];
    return [{ name, runId: run_id, subjects: [`run:${before}`, `run:${run_id}`] as const }];
  });
}
