// Pages of the navigation and the palette.
type Page = {
  readonly to: string;
  readonly label: string;
  readonly key: string;
  /** Whether the page is in the menu "More" on narrow screens. */
  readonly underMore?: boolean;
};

export const PAGES = [
  { to: "/drives", label: "Drives", key: "d" },
  { to: "/runs", label: "Runs", key: "r" },
  { to: "/compare", label: "Compare", key: "c" },
  { to: "/sla", label: "My SLA", key: "s" },
  { to: "/campaigns", label: "Campaigns", key: "m", underMore: true },
  { to: "/publications", label: "Publications", key: "p", underMore: true },
  { to: "/upload", label: "Upload", key: "u" },
] as const satisfies readonly Page[];

/** Less frequently used pages, in the menu "More". */
export const MORE_PAGES = [
  { to: "/agents", label: "Agents" },
  { to: "/qualifications", label: "Qualifications" },
  { to: "/watch", label: "Watch" },
  { to: "/prices", label: "Prices" },
  { to: "/formats", label: "Supported formats" },
  { to: "/glossary", label: "Glossary" },
] as const;

export type PagePath = "/" | (typeof PAGES)[number]["to"];

/** Pages that need no account; the page of mails explains how its owner signs in. */
export const WITHOUT_ACCOUNT: readonly string[] = [
  "/sign-in",
  "/sign-in/return",
  "/enter",
  "/sign-up",
  "/forgot",
  "/password",
  "/invitation",
  "/mail",
];
