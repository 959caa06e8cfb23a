import { getRouteApi } from "@tanstack/react-router";
import { Missing } from "@/entities/missing/Missing";
import { CampaignPage } from "@/features/campaigns/CampaignPage";
import { isId } from "@/lib/ids";

const route = getRouteApi("/campaigns/$campaignId");

export function CampaignScreen() {
  const { campaignId } = route.useParams();
  if (!isId(campaignId)) return <Missing page what="campaign" />;
  return <CampaignPage key={campaignId} campaignId={campaignId} />;
}
