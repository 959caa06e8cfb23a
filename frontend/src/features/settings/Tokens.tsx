// Access tokens of the organisation: create, show once, rotate, revoke.
import { NativeSelect, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { makeToken, revokeToken, rotateToken, type Token, type TokenScope, tokensQuery } from "@/api/organisation";
import { formatMoment, plural } from "@/lib/format";
import { ConfirmButton } from "@/ui/ConfirmDialog";
import { ACTIONS, type Columns, DataTable, NAME_CELL } from "@/ui/DataTable";
import { SubmitButton } from "@/ui/SubmitButton";
import { QueryView } from "@/ui/states";
import { OneTimeSecret, TabLead } from "./Section";

const SCOPES = [
  { value: "agent", label: "agent: sends runs" },
  { value: "viewer", label: "viewer: reads" },
  { value: "engineer", label: "engineer: also uploads, publishes, edits" },
];
const LENGTHS = [
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "365", label: "a year" },
  { value: "", label: "no end" },
];

const MOMENT = { className: "nowrap" };

export function Tokens() {
  const query = useQuery(tokensQuery());
  const [text, setText] = useState<string | null>(null);
  if (query.data === undefined) return <QueryView query={query} what="the tokens" lines={3} height={40} />;
  const { tokens } = query.data;
  const columns: Columns<Token> = [
    { header: "Name", accessorKey: "name", meta: NAME_CELL },
    { header: "Scope", accessorFn: (token) => (token.is_key ? "agent, by its own key" : token.scope) },
    { header: "Made", accessorFn: (token) => formatMoment(token.created_at), meta: MOMENT },
    { header: "By", accessorFn: (token) => token.issued_by ?? "the operator", meta: NAME_CELL },
    {
      header: "Last used",
      accessorFn: (token) => (token.last_used_at === null ? "never" : formatMoment(token.last_used_at)),
      meta: MOMENT,
    },
    { header: "Ends", accessorFn: endOf, meta: MOMENT },
    { ...ACTIONS, accessorFn: (token) => (token.holds ? <Actions token={token} onText={setText} /> : null) },
  ];
  return (
    <>
      <TabLead
        title={
          tokens.length === 0 ? "No token yet" : `${plural(tokens.filter(({ holds }) => holds).length, "token")} in use`
        }
      >
        Each agent and each pipeline needs one of its own.
      </TabLead>
      {text === null ? null : <OneTimeSecret what="the token" text={text} />}
      {tokens.length === 0 ? null : (
        <DataTable label="Tokens, as a table" plain="cards" columns={columns} rows={tokens} rowId="token_id" />
      )}
      <TokenForm onText={setText} />
    </>
  );
}

function Actions({ token, onText }: { token: Token; onText: (text: string) => void }) {
  const queries = useQueryClient();
  return (
    <div className="row">
      {token.is_key ? null : (
        <ConfirmButton
          label="Replace"
          name={`Replace ${token.name}`}
          action={async () => onText(await rotateToken(queries, token.token_id))}
          what="The token"
          confirm="Replace it"
        >
          <p>You get a new token. The present one ends at once, also where programs use it.</p>
        </ConfirmButton>
      )}
      <ConfirmButton
        label="Revoke"
        name={`Revoke ${token.name}`}
        action={() => revokeToken(queries, token.token_id)}
        what="The token"
        confirm="Revoke it"
      >
        <p>Programs that use it are refused from now on.</p>
      </ConfirmButton>
    </div>
  );
}

function endOf({ revoked_at, expires_at }: Token): string {
  if (revoked_at !== null) return `revoked ${formatMoment(revoked_at)}`;
  return expires_at === null ? "no end" : formatMoment(expires_at);
}

function TokenForm({ onText }: { onText: (text: string) => void }) {
  const form = useForm({ initialValues: { name: "", scope: "agent" as TokenScope, days: "365" } });
  const make = useMutation({
    mutationFn: ({ days, ...values }: typeof form.values, { client }) =>
      makeToken(client, { ...values, days: days === "" ? null : Number(days) }),
    onSuccess: (text) => {
      form.setFieldValue("name", "");
      onText(text);
    },
  });
  return (
    <form className="form panel" onSubmit={form.onSubmit((values) => make.mutate(values))}>
      <h3>Make a token</h3>
      <TextInput
        label="Name"
        description="What it is for, such as the host of an agent"
        maxLength={100}
        required
        {...form.getInputProps("name")}
      />
      <NativeSelect label="Scope" data={SCOPES} {...form.getInputProps("scope")} />
      <NativeSelect label="Expires after" data={LENGTHS} {...form.getInputProps("days")} />
      <SubmitButton mutation={make} what="The token">
        Make the token
      </SubmitButton>
    </form>
  );
}
