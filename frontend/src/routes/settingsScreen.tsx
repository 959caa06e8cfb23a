import { getRouteApi } from "@tanstack/react-router";
import { Settings } from "@/features/settings/Settings";

const route = getRouteApi("/settings");

export function SettingsScreen() {
  const { tab } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Settings tab={tab ?? "profile"} onTab={(chosen) => void navigate({ search: { tab: chosen }, replace: true })} />
  );
}
