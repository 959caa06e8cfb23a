import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { type SettingsTab, TAB_KEYS } from "@/features/settings/tabs";
import { compact, oneOf, type RawSearch } from "@/lib/search";
import { rootRoute } from "./root";

export const settingsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/settings",
  validateSearch: (raw: RawSearch): { tab?: SettingsTab } => compact({ tab: oneOf(raw["tab"], TAB_KEYS) }),
  component: lazyRouteComponent(() => import("./settingsScreen"), "SettingsScreen"),
});
