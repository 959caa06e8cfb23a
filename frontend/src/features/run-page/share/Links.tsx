// Links that let others read this run: recipient, expiry, revocation.
import { Button, Group, NativeSelect, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { linksQuery, makeLink, type RunLink, revokeLink } from "@/api/reports";
import { formatMoment } from "@/lib/format";
import { ConfirmButton } from "@/ui/ConfirmDialog";
import { CopyLinkButton } from "@/ui/CopyButton";
import { Failed, QueryView } from "@/ui/states";

const DAYS = [
  { value: "7", label: "7 days" },
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "365", label: "a year" },
];
const LONGEST_LABEL = 100;

export function Links({ runId }: { runId: string }) {
  const queries = useQueryClient();
  const query = linksQuery(runId);
  const links = useQuery(query);
  const form = useForm({ initialValues: { label: "", days: "30" } });
  const made = useMutation({
    mutationFn: ({ label, days }: typeof form.values) => makeLink(runId, label, Number(days)),
    onSuccess: (answer) => {
      queries.setQueryData(query.queryKey, { links: answer.links });
      form.setFieldValue("label", "");
    },
  });
  const revoke = async (linkId: string) => queries.setQueryData(query.queryKey, await revokeLink(runId, linkId));
  const address = made.data === undefined ? null : `${window.location.origin}${made.data.path}`;
  return (
    <>
      <p className="dim">A link opens the report of this run without signing in, and nothing else.</p>
      <form
        className="row"
        style={{ alignItems: "flex-end", width: "100%" }}
        onSubmit={form.onSubmit((values) => made.mutate(values))}
      >
        <TextInput
          flex="1 1 160px"
          label="For whom"
          placeholder="only you see this"
          maxLength={LONGEST_LABEL}
          {...form.getInputProps("label")}
        />
        <NativeSelect label="Works for" data={DAYS} {...form.getInputProps("days")} />
        <Button variant="filled" type="submit" loading={made.isPending}>
          Make a link
        </Button>
      </form>
      <Failed error={made.error} what="Making the link" />
      {address === null ? null : (
        <div className="stack-8 items-start notice" style={{ background: "var(--pass-soft)" }} role="status">
          <p>
            <strong>Copy it now.</strong> It is not shown again.
          </p>
          <code>{address}</code>
          <CopyLinkButton label="Copy the link" address={() => address} />
        </div>
      )}
      {links.data !== undefined ? (
        <ul className="plain-list" style={{ width: "100%" }} aria-label="Links to this run">
          {links.data.links.map((link) => (
            <Group
              component="li"
              key={link.link_id}
              justify="space-between"
              wrap="nowrap"
              gap={12}
              style={{ padding: "8px 0", borderTop: "1px solid var(--line)" }}
            >
              <span>
                <strong>{link.label === "" ? "Without a name" : link.label}</strong>
                <span className="dim block">{stateOf(link)}</span>
              </span>
              {link.is_open ? (
                <ConfirmButton
                  label="Revoke"
                  name={`Revoke the link ${link.label === "" ? "without a name" : `for ${link.label}`}`}
                  title="Revoke this link?"
                  action={() => revoke(link.link_id)}
                  what="Revoking the link"
                  confirm="Revoke it"
                >
                  <p>People who have it can no longer open the report.</p>
                </ConfirmButton>
              ) : null}
            </Group>
          ))}
        </ul>
      ) : (
        <QueryView query={links} what="loading the links" lines={1} />
      )}
    </>
  );
}

function stateOf(link: RunLink): string {
  if (link.revoked_at !== null) return `revoked ${formatMoment(link.revoked_at)}`;
  return `${link.is_open ? "works until" : "expired"} ${formatMoment(link.expires_at)}`;
}
