import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "./root";

export const campaignsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/campaigns",
  component: lazyRouteComponent(() => import("@/features/campaigns/CampaignsPage"), "CampaignsPage"),
});

export const campaignRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/campaigns/$campaignId",
  component: lazyRouteComponent(() => import("./campaignScreen"), "CampaignScreen"),
});

export const agentsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/agents",
  component: lazyRouteComponent(() => import("@/features/agents/AgentsPage"), "AgentsPage"),
});
