// Renders the message for a missing object: possible reasons, and a link to the list.
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Empty } from "@/ui/states";

const WORDS = {
  run: { next: "All your runs are on the list.", link: <Link to="/runs">Show runs</Link> },
  campaign: { next: "All your campaigns are on the list.", link: <Link to="/campaigns">Show campaigns</Link> },
  qualification: {
    next: "All your qualifications are on the list.",
    link: <Link to="/qualifications">Show qualifications</Link>,
  },
  upload: { next: "Your uploads are listed below.", link: null },
  budget: { next: "Ask about a transaction instead.", link: null },
  chain: {
    next: "The links may also have been removed; the runs stay.",
    link: (
      <Link to="/compare" search={{ template: "chain" }}>
        Show linked runs
      </Link>
    ),
  },
} as const satisfies Record<string, { next: string; link: ReactNode }>;

/** Renders the message. `page` means that it replaces the whole page. */
export function Missing({ what, page = false }: { what: keyof typeof WORDS; page?: boolean }) {
  const { next, link } = WORDS[what];
  return (
    <Empty page={page} title={what === "chain" ? "There are no such linked runs" : `There is no such ${what}`}>
      <p>It may belong to another organisation, or the link may be incomplete. {next}</p>
      {link}
    </Empty>
  );
}
