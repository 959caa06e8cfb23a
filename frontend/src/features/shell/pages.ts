// The pages one can go to by name. Only pages that exist.
export const PAGES = [
  { to: "/drives", label: "Drives", key: "d" },
  { to: "/runs", label: "Runs", key: "r" },
  { to: "/compare", label: "Compare", key: "c" },
  { to: "/sla", label: "My SLA", key: "s" },
  { to: "/publications", label: "Publications", key: "p" },
  { to: "/upload", label: "Upload", key: "u" },
] as const;

export type PagePath = "/" | (typeof PAGES)[number]["to"];

/** Pages for those who are not signed in yet. */
export const WITHOUT_ACCOUNT: readonly string[] = ["/sign-in", "/sign-up", "/forgot", "/password", "/invitation"];
