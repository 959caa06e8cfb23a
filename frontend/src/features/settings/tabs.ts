// Tabs of the settings, and the capability that each requires.
import type { Session } from "@/api/types";

type Capability = Session["capabilities"][number];

export const TABS = [
  { key: "profile", label: "Profile", needs: "own-account" },
  { key: "sessions", label: "Sessions", needs: "own-account" },
  { key: "organisation", label: "Organisation", needs: "own-account" },
  { key: "members", label: "Members", needs: "read-members" },
  { key: "tokens", label: "Tokens", needs: "manage-tokens" },
  { key: "budgets", label: "Budgets", needs: "read" },
  { key: "catalogue", label: "Catalogue", needs: "read" },
  { key: "retention", label: "Retention", needs: "read" },
  { key: "quota", label: "Quota", needs: "read" },
  { key: "trail", label: "Audit trail", needs: "read-trail" },
] as const satisfies readonly { key: string; label: string; needs: Capability }[];

export type SettingsTab = (typeof TABS)[number]["key"];
export const TAB_KEYS = TABS.map(({ key }) => key);
