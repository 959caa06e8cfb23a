// Page that lists the campaigns, with the form that begins another.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ColumnDef } from "@tanstack/react-table";
import { type Campaign, campaignsQuery } from "@/api/campaigns";
import { formatMoment } from "@/lib/format";
import { DataTable } from "@/ui/DataTable";
import { QueryView } from "@/ui/states";
import { usePageTitle } from "@/ui/usePageTitle";
import { CampaignForm } from "./CampaignForm";
import classes from "./campaigns.module.css";
import { firstNames } from "./shownAgents";
import { stateOf } from "./words";

const COLUMNS: ColumnDef<Campaign, never>[] = [
  {
    id: "campaign",
    header: "Campaign",
    cell: ({ row: { original: campaign } }) => (
      <Link to="/campaigns/$campaignId" params={{ campaignId: campaign.campaign_id }}>
        {campaign.title}
      </Link>
    ),
    meta: { isRowHeader: true },
  },
  { id: "result", header: "Result", cell: ({ row }) => stateOf(row.original), meta: { onPhone: "wide" } },
  {
    id: "server",
    header: "Server",
    cell: ({ row }) => row.original.target,
    meta: { onPhone: "labelled", label: "Server" },
  },
  {
    id: "agents",
    header: "Agents",
    cell: ({ row }) => firstNames(row.original.agents, row.original.agent_count),
    meta: { onPhone: "labelled", label: "Agents" },
  },
  {
    id: "begun",
    header: "Begun",
    cell: ({ row }) => formatMoment(row.original.created_at),
    meta: { onPhone: "labelled", label: "Begun" },
  },
];

export function CampaignsPage() {
  usePageTitle("Campaigns");
  const campaigns = useQuery(campaignsQuery());
  return (
    <div className={`stack-16 ${classes["page"]}`}>
      <header>
        <h1>Campaigns</h1>
        <p>
          A campaign runs one plan on several <Link to="/agents">agents</Link>. Each phase begins at one instant, and
          what all agents measure is added up into one run.
        </p>
      </header>
      {campaigns.data === undefined ? (
        <QueryView query={campaigns} what="the campaigns" lines={3} height={40} />
      ) : campaigns.data.campaigns.length === 0 ? (
        <p>No campaign has run yet. Choose a template, a server and agents below.</p>
      ) : (
        <DataTable
          label="Campaigns"
          columns={COLUMNS}
          rows={campaigns.data.campaigns}
          rowId={({ campaign_id }) => campaign_id}
        />
      )}
      {/* The form follows the list, so that it does not push the list down. */}
      {campaigns.isPending ? null : <CampaignForm />}
    </div>
  );
}
