// Second factor of the reader: set up with an app, renew recovery codes, turn off.
import { Button } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQuery } from "@tanstack/react-query";
import { QRCodeSVG } from "qrcode.react";
import { useState } from "react";
import {
  beginSecondFactor,
  confirmSecondFactor,
  makeRecoveryCodes,
  secondFactorQuery,
  turnOffSecondFactor,
} from "@/api/account";
import { formatMoment } from "@/lib/format";
import { CodeInput } from "@/ui/CodeInput";
import { SubmitButton } from "@/ui/SubmitButton";
import { Failed, QueryView } from "@/ui/states";
import { OneTimeSecret, OwnPassword, Section } from "./Section";

export function SecondFactor() {
  const secondFactor = useQuery(secondFactorQuery());
  const [codes, setCodes] = useState<string[] | null>(null);
  if (secondFactor.data === undefined)
    return <QueryView query={secondFactor} what="the second factor" lines={2} height={40} />;
  const { confirmed_at, recovery_codes } = secondFactor.data;
  return (
    <Section name="Second factor" state={confirmed_at === null ? "off" : `on since ${formatMoment(confirmed_at)}`}>
      {codes === null ? null : <OneTimeSecret what="the recovery codes" text={codes.join("\n")} />}
      {confirmed_at === null ? (
        <Begin onCodes={setCodes} />
      ) : (
        <>
          <p>Signing in asks for a code of your app. {recovery_codes} recovery codes are left.</p>
          <Change onCodes={setCodes} />
        </>
      )}
    </Section>
  );
}

type RecoveryCodesProps = { onCodes: (codes: string[] | null) => void };

function Begin({ onCodes }: RecoveryCodesProps) {
  const form = useForm({ initialValues: { password: "", code: "" } });
  const begin = useMutation({ mutationFn: beginSecondFactor, onSuccess: form.reset });
  const confirm = useMutation({
    mutationFn: (code: string, { client }) => confirmSecondFactor(client, code),
    onSuccess: onCodes,
  });
  const { data: begun } = begin;
  if (begun !== undefined) {
    return (
      <form className="stack-12" onSubmit={form.onSubmit(({ code }) => confirm.mutate(code))}>
        <p>Scan this with your app, or type the secret into it.</p>
        <QRCodeSVG className="self-start" value={begun.uri} size={176} marginSize={4} title="The secret as a QR code" />
        <p className="wrap-anywhere" style={{ whiteSpace: "pre-line" }}>
          <code>{begun.secret}</code>
        </p>
        <CodeInput label="First code of the app" {...form.getInputProps("code")} />
        <SubmitButton mutation={confirm} what="The second factor">
          Turn it on
        </SubmitButton>
      </form>
    );
  }
  return (
    <form className="stack-12" onSubmit={form.onSubmit(({ password }) => begin.mutate(password))}>
      <p>With an app that shows codes, a password alone is not enough. Setting it ends your other sessions.</p>
      <OwnPassword label="Your password" description={null} required {...form.getInputProps("password")} />
      <SubmitButton mutation={begin} what="The second factor">
        Set a second factor
      </SubmitButton>
    </form>
  );
}

function Change({ onCodes }: RecoveryCodesProps) {
  const form = useForm({ initialValues: { password: "", code: "" } });
  const { password, code } = form.values;
  const renew = useMutation({
    mutationFn: (_: undefined, { client }) => makeRecoveryCodes(client, code),
    onSuccess: onCodes,
  });
  const off = useMutation({
    mutationFn: (_: undefined, { client }) => turnOffSecondFactor(client, password, code),
    onSuccess: () => onCodes(null),
  });
  const problem = renew.error ?? off.error;
  return (
    <form className="stack-12" onSubmit={form.onSubmit(() => off.mutate())}>
      <CodeInput label="Code" {...form.getInputProps("code")} />
      <Button loading={renew.isPending} disabled={code === ""} className="self-start" onClick={() => renew.mutate()}>
        Get other recovery codes
      </Button>
      <OwnPassword
        label="Your password"
        description="Turning it off also needs the password."
        required
        {...form.getInputProps("password")}
      />
      <Failed error={problem} what="The second factor" />
      <Button type="submit" loading={off.isPending} className="self-start">
        Turn it off
      </Button>
    </form>
  );
}
