// Frame of every page: navigation, appearance, account and keyboard shortcuts.
import { ActionIcon, Button, Kbd, Menu, useMantineColorScheme } from "@mantine/core";
import { useWindowEvent } from "@mantine/hooks";
import { Link, useNavigate, useRouterState } from "@tanstack/react-router";
import { lazy, type ReactNode, Suspense, useRef, useState } from "react";
import { QUESTION_KEYS } from "@/entities/question/address";
import { IconAuto, IconMoon, IconSearch, IconStar, IconSun } from "@/ui/icons";
import { AccountMenu } from "./AccountMenu";
import { MORE_PAGES, PAGES, WITHOUT_ACCOUNT } from "./pages";
import classes from "./Shell.module.css";
import { useShortcuts } from "./useShortcuts";

const ShortcutsHelp = lazy(() => import("./ShortcutsHelp").then((module) => ({ default: module.ShortcutsHelp })));
const QuestionBar = lazy(() => import("./QuestionBar").then((module) => ({ default: module.QuestionBar })));
const SavedPlaces = lazy(() => import("./SavedPlaces").then((module) => ({ default: module.SavedPlaces })));
const Palette = lazy(() => import("./Palette").then((module) => ({ default: module.Palette })));

/** Pages without the question bar: they edit the question themselves, or cannot use it. */
const WITHOUT_BAR: ReadonlySet<string> = new Set([
  "/sla",
  "/drives",
  "/settings",
  "/watch",
  "/operations",
  ...WITHOUT_ACCOUNT,
]);

export function Shell({ children }: { children: ReactNode }) {
  const [help, setHelp] = useState<"unloaded" | "open" | "closed">("unloaded");
  const [palette, setPalette] = useState<"unloaded" | "open" | "closed">("unloaded");
  const [saved, setSaved] = useState<"unloaded" | "open" | "closed">("unloaded");
  usePrintWhole();
  const navigate = useNavigate();
  const path = useRouterState({ select: (state) => state.location.pathname });
  const hasQuestion = useRouterState({ select: ({ location }) => QUESTION_KEYS.some((key) => key in location.search) });
  const { toggleColorScheme } = useMantineColorScheme();
  const shortcuts = useShortcuts({
    help: () => setHelp("open"),
    palette: () => setPalette("open"),
    scheme: toggleColorScheme,
    go: (to) => void navigate({ to }),
  });

  return (
    <>
      <a className={classes["skip"]} href="#main">
        Skip to the content
      </a>
      <header className={`${classes["header"]} no-print`}>
        <Link to="/" className={classes["name"]}>
          <Mark />
          Tailroom
        </Link>
        <nav aria-label="Main" className={classes["nav"]}>
          {PAGES.map((page) => (
            <Link
              key={page.to}
              to={page.to}
              className={`nowrap muted small ${classes["navLink"]}`}
              data-under-more={"underMore" in page || undefined}
              activeOptions={{ exact: false }}
            >
              {page.label}
            </Link>
          ))}
          <MorePages />
        </nav>
        <div className={classes["tools"]}>
          <Button
            size="xs"
            visibleFrom="md"
            leftSection={<IconSearch size={14} />}
            rightSection={<Kbd size="xs">Ctrl K</Kbd>}
            onClick={() => setPalette("open")}
          >
            Find
          </Button>
          <ActionIcon size="lg" hiddenFrom="md" aria-label="Find" onClick={() => setPalette("open")}>
            <IconSearch />
          </ActionIcon>
          <ActionIcon
            size="lg"
            aria-label="Keyboard shortcuts"
            title="Keyboard shortcuts"
            onClick={() => setHelp("open")}
          >
            <span aria-hidden="true">?</span>
          </ActionIcon>
          <ActionIcon
            size="lg"
            aria-label="Saved"
            title="Saved questions, shortlists, drives and runs"
            onClick={() => setSaved("open")}
          >
            <IconStar />
          </ActionIcon>
          <SchemeMenu />
          <AccountMenu />
        </div>
      </header>
      {WITHOUT_BAR.has(path) ? null : (
        <Suspense
          fallback={<div className={`${classes["barSpace"]} no-print`} data-question={hasQuestion || undefined} />}
        >
          <QuestionBar />
        </Suspense>
      )}
      <main id="main" tabIndex={-1} className={classes["main"]}>
        {children}
      </main>
      <Suspense fallback={null}>
        {help === "unloaded" ? null : (
          <ShortcutsHelp
            opened={help === "open"}
            onClose={() => setHelp("closed")}
            singleKeys={shortcuts.singleKeys}
            onSingleKeys={shortcuts.setSingleKeys}
          />
        )}
        {saved === "unloaded" ? null : <SavedPlaces opened={saved === "open"} onClose={() => setSaved("closed")} />}
        {palette === "unloaded" ? null : (
          <Palette opened={palette === "open"} onClose={() => setPalette("closed")} onHelp={() => setHelp("open")} />
        )}
      </Suspense>
    </>
  );
}

function MorePages() {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <button type="button" className={`nowrap muted small ${classes["more"]} ${classes["navLink"]}`}>
          More
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {PAGES.filter((page) => "underMore" in page).map(({ to, label }) => (
          <Menu.Item key={to} component={Link} to={to} hiddenFrom="lg">
            {label}
          </Menu.Item>
        ))}
        {MORE_PAGES.map(({ to, label }) => (
          <Menu.Item key={to} component={Link} to={to}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Renders the logo: a latency distribution with its tail, and the headroom after it. */
function Mark() {
  return (
    <svg width="24" height="24" viewBox="0 0 24 24" aria-hidden="true">
      <rect x="0.5" y="0.5" width="23" height="23" rx="5" fill="var(--data)" />
      <path d="M3 19V9l3-4 3 6 3 4 4 2.4V19z" fill="var(--canvas)" />
      <path d="M20 5v14" stroke="var(--canvas)" strokeWidth="2" />
    </svg>
  );
}

const SCHEMES = [
  { value: "auto", label: "As the system", Icon: IconAuto },
  { value: "light", label: "Light", Icon: IconSun },
  { value: "dark", label: "Dark", Icon: IconMoon },
] as const;

function SchemeMenu() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const current = SCHEMES.find((scheme) => scheme.value === colorScheme) ?? SCHEMES[0];
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon size="lg" aria-label={`Colour scheme: ${current.label.toLowerCase()}`} title="Colour scheme">
          <current.Icon />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {SCHEMES.map(({ value, label, Icon }) => (
          <Menu.Item
            key={value}
            leftSection={<Icon />}
            onClick={() => setColorScheme(value)}
            aria-current={value === colorScheme ? "true" : undefined}
            fw={value === colorScheme ? 600 : 400}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function usePrintWhole(): void {
  const opened = useRef<HTMLDetailsElement[]>([]);
  useWindowEvent("beforeprint", () => {
    const folded = document.querySelectorAll<HTMLDetailsElement>("details:not([open])");
    for (const details of folded) details.open = true;
    opened.current.push(...folded);
  });
  useWindowEvent("afterprint", () => {
    for (const details of opened.current) details.open = false;
    opened.current = [];
  });
}
