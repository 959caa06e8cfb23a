import { createFileRoute } from "@tanstack/react-router";
import { Missing } from "@/entities/missing/Missing";
import { CampaignPage } from "@/features/campaigns/CampaignPage";
import { isId } from "@/lib/ids";

export const Route = createFileRoute("/campaigns/$campaignId")({
  component: CampaignScreen,
});

function CampaignScreen() {
  const { campaignId } = Route.useParams();
  if (!isId(campaignId)) return <Missing page what="campaign" />;
  return <CampaignPage key={campaignId} campaignId={campaignId} />;
}
