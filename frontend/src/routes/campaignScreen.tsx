import { getRouteApi } from "@tanstack/react-router";
import { CampaignPage } from "@/features/campaigns/CampaignPage";

const route = getRouteApi("/campaigns/$campaignId");

export function CampaignScreen() {
  const { campaignId } = route.useParams();
  return <CampaignPage key={campaignId} campaignId={campaignId} />;
}
