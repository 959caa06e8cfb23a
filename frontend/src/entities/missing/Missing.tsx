// Renders the message for a missing object: possible reasons, and a link to the list.
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Empty } from "@/ui/states";

const ELSEWHERE = "It may belong to another organisation, or the link may be incomplete.";

const WORDS = {
  run: {
    title: "There is no such run",
    text: `${ELSEWHERE} All your runs are on the list.`,
    link: <Link to="/runs">Show runs</Link>,
  },
  campaign: {
    title: "There is no such campaign",
    text: `${ELSEWHERE} All your campaigns are on the list.`,
    link: <Link to="/campaigns">Show campaigns</Link>,
  },
  qualification: {
    title: "There is no such qualification",
    text: `${ELSEWHERE} All your qualifications are on the list.`,
    link: <Link to="/qualifications">Show qualifications</Link>,
  },
  upload: {
    title: "There is no such upload",
    text: `${ELSEWHERE} Your uploads are listed below.`,
    link: null,
  },
  budget: {
    title: "There is no such budget",
    text: `${ELSEWHERE} Ask about a transaction instead.`,
    link: null,
  },
  chain: {
    title: "There are no such linked runs",
    text: `${ELSEWHERE} The links may also have been removed; the runs stay.`,
    link: (
      <Link to="/compare" search={{ template: "chain" }}>
        Show linked runs
      </Link>
    ),
  },
} as const satisfies Record<string, { title: string; text: string; link: ReactNode }>;

/** Renders the message. `page` means that it replaces the whole page. */
export function Missing({ what, page = false }: { what: keyof typeof WORDS; page?: boolean }) {
  const { title, text, link } = WORDS[what];
  return (
    <Empty page={page} title={title}>
      <p>{text}</p>
      {link}
    </Empty>
  );
}
