// Links that let others read this run: whom each was given to, until when it works, and taking it back.
import { Button, Select, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { endLink, linksQuery, makeLink, type RunLink } from "@/api/links";
import { formatMoment } from "@/lib/format";
import { CopyLinkButton } from "@/ui/CopyLinkButton";
import { Dialog } from "@/ui/Dialog";
import { Failed, Loading } from "@/ui/states";
import classes from "./Links.module.css";

const DAYS = [
  { value: "7", label: "7 days" },
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "365", label: "a year" },
];
const LONGEST_LABEL = 100;

export function Links({ runId }: { runId: string }) {
  const [opened, setOpened] = useState(false);
  return (
    <div className={`${classes["line"]} no-print`}>
      <p className="dim">A link lets somebody without access read the report of this run alone.</p>
      <Button size="xs" variant="default" onClick={() => setOpened(true)}>
        Links for others
      </Button>
      <Dialog opened={opened} onClose={() => setOpened(false)} title="Links for others">
        <LinkList runId={runId} />
      </Dialog>
    </div>
  );
}

function LinkList({ runId }: { runId: string }) {
  const queries = useQueryClient();
  const query = linksQuery(runId);
  const links = useQuery(query);
  const [label, setLabel] = useState("");
  const [days, setDays] = useState("30");
  const made = useMutation({
    mutationFn: () => makeLink(runId, label, Number(days)),
    onSuccess: (answer) => {
      queries.setQueryData(query.queryKey, { links: answer.links });
      setLabel("");
    },
  });
  const ended = useMutation({
    mutationFn: (linkId: string) => endLink(runId, linkId),
    onSuccess: (answer) => queries.setQueryData(query.queryKey, answer),
  });
  const address = made.data === undefined ? null : `${window.location.origin}${made.data.path}`;
  return (
    <div className={classes["dialog"]}>
      <p>
        Whoever has a link reads the report, chart and badge of this run, with verdicts on built-in budgets. Nothing
        else opens, and no sign-in is needed.
      </p>
      <form
        className={classes["form"]}
        onSubmit={(event) => {
          event.preventDefault();
          made.mutate();
        }}
      >
        <TextInput
          label="For whom"
          description="Only your organisation sees this"
          maxLength={LONGEST_LABEL}
          value={label}
          onChange={(event) => setLabel(event.currentTarget.value)}
        />
        <Select
          label="Works for"
          data={DAYS}
          value={days}
          onChange={(value) => setDays(value ?? "30")}
          allowDeselect={false}
        />
        <Button type="submit" loading={made.isPending}>
          Make a link
        </Button>
      </form>
      {made.error === null ? null : <Failed error={made.error} what="Making the link" />}
      {address === null ? null : (
        <div className={classes["made"]} role="status">
          <p>
            <strong>Copy it now.</strong> It is not shown again.
          </p>
          <code>{address}</code>
          <CopyLinkButton label="Copy the link" address={() => address} />
        </div>
      )}
      {links.data === undefined ? (
        links.error === null ? (
          <Loading what="the links" />
        ) : (
          <Failed error={links.error} what="Loading the links" />
        )
      ) : links.data.links.length === 0 ? (
        <p className="dim">There are no links to this run.</p>
      ) : (
        <ul className={classes["list"]}>
          {links.data.links.map((link) => (
            <li key={link.link_id}>
              <span>
                <strong>{link.label === "" ? "Without a name" : link.label}</strong>
                <span className="dim">{stateOf(link)}</span>
              </span>
              {link.is_open ? (
                <Button
                  size="xs"
                  variant="default"
                  loading={ended.isPending && ended.variables === link.link_id}
                  onClick={() => ended.mutate(link.link_id)}
                >
                  Take back
                </Button>
              ) : null}
            </li>
          ))}
        </ul>
      )}
      {ended.error === null ? null : <Failed error={ended.error} what="Taking the link back" />}
    </div>
  );
}

function stateOf(link: RunLink): string {
  if (link.revoked_at !== null) return `taken back ${formatMoment(link.revoked_at)}`;
  return `${link.is_open ? "works until" : "expired"} ${formatMoment(link.expires_at)}`;
}
