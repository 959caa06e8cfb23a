// Settings of the reader and the organisation, in tabs.
import { Tabs } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef } from "react";
import { sessionQuery } from "@/api/queries";
import type { Session } from "@/api/types";
import { Empty, QueryView } from "@/ui/states";
import { usePageTitle } from "@/ui/usePageTitle";
import { AuditTrail } from "./AuditTrail";
import { Budgets } from "./Budgets";
import { Members } from "./Members";
import { Organisation } from "./Organisation";
import { Profile } from "./Profile";
import { QuotaTab } from "./QuotaTab";
import { Retention } from "./Retention";
import { Sessions } from "./Sessions";
import { Suggestions } from "./Suggestions";
import { Tokens } from "./Tokens";
import { type SettingsTab, TABS } from "./tabs";

type SettingsProps = { tab: SettingsTab; onTab: (tab: SettingsTab) => void };

export function Settings({ tab, onTab }: SettingsProps) {
  usePageTitle("Settings");
  const session = useQuery(sessionQuery());
  return (
    <div className="stack-16">
      <h1>Settings</h1>
      {session.data === undefined ? (
        <QueryView query={session} what="the settings" lines={4} height={40} />
      ) : session.data.access === "person" ? (
        <SettingsTabs session={session.data} tab={tab} onTab={onTab} />
      ) : (
        <Empty title="Settings belong to people">
          <p>
            {session.data.access === "local"
              ? "On this machine nobody has to sign in. Sign in to have an organisation with members and tokens."
              : "You are signed in with an access token. Sign in with your e-mail address to see them."}
          </p>
          <Link to="/sign-in" search={{ from: "/settings" }}>
            Sign in
          </Link>
        </Empty>
      )}
    </div>
  );
}

function SettingsTabs({ session, tab, onTab }: SettingsProps & { session: Session }) {
  const open = TABS.filter(({ needs }) => session.capabilities.includes(needs));
  const current = open.find(({ key }) => key === tab)?.key ?? "profile";
  const list = useRef<HTMLDivElement>(null);
  // On narrow screens the tabs overflow, so the current tab is scrolled into view.
  useEffect(() => {
    const chosen = list.current?.querySelector(`[data-tab="${current}"]`);
    chosen?.scrollIntoView?.({ block: "nearest", inline: "center" });
  }, [current]);
  return (
    <Tabs
      value={current}
      onChange={(key) => onTab((key ?? "profile") as SettingsTab)}
      keepMounted={false}
      color="var(--accent)"
    >
      <Tabs.List ref={list} style={{ flexWrap: "nowrap", overflow: "auto hidden" }}>
        {open.map(({ key, label }) => (
          <Tabs.Tab key={key} value={key} data-tab={key}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={current} pt={16} className="stack-16">
        {PANELS[current](session)}
      </Tabs.Panel>
    </Tabs>
  );
}

const PANELS: { readonly [Tab in SettingsTab]: (session: Session) => ReactNode } = {
  profile: () => <Profile />,
  sessions: () => <Sessions />,
  organisation: (session) => <Organisation session={session} />,
  members: (session) => <Members session={session} />,
  tokens: () => <Tokens />,
  budgets: ({ capabilities }) => <Budgets mayEdit={capabilities.includes("edit-budgets")} />,
  catalogue: ({ capabilities }) => <Suggestions mayEdit={capabilities.includes("edit-catalogue")} />,
  retention: ({ capabilities }) => <Retention mayEdit={capabilities.includes("manage-organisation")} />,
  quota: () => <QuotaTab />,
  trail: () => <AuditTrail />,
};
