// Page that lists the campaigns, with the form that begins another.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type Campaign, campaignsQuery } from "@/api/campaigns";
import { formatMoment } from "@/lib/format";
import { type Columns, DataTable, ROW_HEADER } from "@/ui/DataTable";
import { QueryView } from "@/ui/states";
import { usePageTitle } from "@/ui/usePageTitle";
import { CampaignForm } from "./CampaignForm";
import { firstNames } from "./shownAgents";
import { stateOf } from "./words";

const COLUMNS: Columns<Campaign> = [
  {
    header: "Campaign",
    accessorFn: ({ campaign_id, title }) => (
      <Link to="/campaigns/$campaignId" params={{ campaignId: campaign_id }}>
        {title}
      </Link>
    ),
    meta: ROW_HEADER,
  },
  { header: "Result", accessorFn: stateOf, meta: { onPhone: "wide" } },
  { header: "Server", accessorKey: "target" },
  { header: "Agents", accessorFn: ({ agents, agent_count }) => firstNames(agents, agent_count) },
  { header: "Begun", accessorFn: ({ created_at }) => formatMoment(created_at) },
];

export function CampaignsPage() {
  usePageTitle("Campaigns");
  const campaigns = useQuery(campaignsQuery());
  return (
    <div className="stack-16">
      <header className="lead">
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
        <DataTable label="Campaigns" columns={COLUMNS} rows={campaigns.data.campaigns} rowId="campaign_id" />
      )}
      {/* The form follows the list, so that it does not push the list down. */}
      {campaigns.isPending ? null : <CampaignForm />}
    </div>
  );
}
