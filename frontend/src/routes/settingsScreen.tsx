import { getRouteApi } from "@tanstack/react-router";
import { Settings } from "@/features/settings/Settings";
import { TAB_KEYS } from "@/features/settings/tabs";
import { oneOf } from "@/lib/search";

const route = getRouteApi("/settings");

export function SettingsScreen() {
  const tab = oneOf(route.useSearch().tab, TAB_KEYS);
  const navigate = route.useNavigate();
  return (
    <Settings tab={tab ?? "profile"} onTab={(chosen) => void navigate({ search: { tab: chosen }, replace: true })} />
  );
}
