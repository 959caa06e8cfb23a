import { createFileRoute } from "@tanstack/react-router";
import { Settings } from "@/features/settings/Settings";
import { type SettingsTab, TAB_KEYS } from "@/features/settings/tabs";
import { compact, oneOf, type RawSearch } from "@/lib/search";

export const Route = createFileRoute("/settings")({
  validateSearch: (raw: RawSearch): { tab?: SettingsTab } => compact({ tab: oneOf(raw["tab"], TAB_KEYS) }),
  component: SettingsScreen,
});

function SettingsScreen() {
  const tab = oneOf(Route.useSearch().tab, TAB_KEYS);
  const navigate = Route.useNavigate();
  return (
    <Settings tab={tab ?? "profile"} onTab={(chosen) => void navigate({ search: { tab: chosen }, replace: true })} />
  );
}
