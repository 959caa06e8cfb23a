// Campaigns: what was measured by several agents together, and how to begin one.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { campaignsQuery } from "@/api/campaigns";
import { formatMoment } from "@/lib/format";
import { ScrollRegion } from "@/ui/ScrollRegion";
import { Failed, Loading } from "@/ui/states";
import { usePageTitle } from "@/ui/usePageTitle";
import { CampaignForm } from "./CampaignForm";
import classes from "./campaigns.module.css";
import { stateOf } from "./words";

export function CampaignsPage() {
  usePageTitle("Campaigns");
  const found = useQuery(campaignsQuery());
  const campaigns = found.data?.campaigns ?? [];
  return (
    <div className={classes["page"]}>
      <header>
        <h1>Campaigns</h1>
        <p>
          A campaign runs one plan on several <Link to="/agents">agents</Link>. Each phase begins at one instant, and
          what all agents measure is added up into one run.
        </p>
      </header>
      <CampaignForm />
      {found.data === undefined ? (
        found.error === null ? (
          <Loading what="the campaigns" lines={3} height={40} />
        ) : (
          <Failed error={found.error} what="The campaigns" onRetry={() => void found.refetch()} />
        )
      ) : campaigns.length === 0 ? (
        <p>No campaign has run yet. Choose a template, a server and agents above.</p>
      ) : (
        <ScrollRegion label="Campaigns, as a table">
          <table className="data">
            <thead>
              <tr>
                <th scope="col">Campaign</th>
                <th scope="col">Result</th>
                <th scope="col">Server</th>
                <th scope="col">Agents</th>
                <th scope="col">Begun</th>
              </tr>
            </thead>
            <tbody>
              {campaigns.map((campaign) => (
                <tr key={campaign.campaign_id}>
                  <td>
                    <Link to="/campaigns/$campaignId" params={{ campaignId: campaign.campaign_id }}>
                      {campaign.title}
                    </Link>
                  </td>
                  <td>{stateOf(campaign)}</td>
                  <td>{campaign.target}</td>
                  <td>{campaign.agents.map(({ name }) => name).join(", ")}</td>
                  <td>{formatMoment(campaign.created_at)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      )}
    </div>
  );
}
