// Renders the input for one fact, by its kind. The value is text until it is saved; its problem is shown below.
import { Autocomplete, Input, NativeSelect, SegmentedControl, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useId, useState } from "react";
import { driveSearchQuery } from "@/api/drivePage";
import { Backquoted } from "@/ui/Backquoted";
import classes from "./DisclosureForm.module.css";
import { type FieldForm, hashSerial, OFFSETS, SHA256, splitMoment, writeBytes, writeOffset } from "./disclosureFields";

type FactFieldProps = {
  form: FieldForm;
  value: string;
  problem: ReactNode;
  onChange: (value: string) => void;
};

export function FactField(props: FactFieldProps) {
  switch (props.form.kind.is) {
    case "drive":
      return <DriveField {...props} />;
    case "choice":
      return <ChoiceField {...props} choices={props.form.kind.choices} />;
    case "moment":
      return <MomentField {...props} />;
    case "switch":
      return <SwitchField {...props} />;
    case "serial":
      return <SerialField {...props} />;
    default:
      return <TextField {...props} />;
  }
}

/** Puts hints below the input. They take one or two lines, and above it they would misalign the fields. */
const HINT_BELOW = ["label", "input", "description", "error"] as ("label" | "input" | "description" | "error")[];

const shared = ({ form, problem }: FactFieldProps) => ({
  label: form.label,
  description: form.hint === null ? undefined : <Backquoted text={form.hint} />,
  error: problem,
  inputWrapperOrder: HINT_BELOW,
  autoComplete: "off",
  spellCheck: false,
});

function TextField(props: FactFieldProps) {
  const { kind } = props.form;
  const choices = kind.is === "text" || kind.is === "bytes" ? kind.choices : undefined;
  if (choices !== undefined)
    return (
      <Autocomplete {...shared(props)} data={[...choices]} value={props.value} onChange={props.onChange} filter={all} />
    );
  return (
    <TextInput
      {...shared(props)}
      inputMode={kind.is === "whole" || kind.is === "amount" || kind.is === "share" ? "decimal" : "text"}
      {...(kind.is === "share" ? { rightSection: <span className="dim">%</span> } : {})}
      value={props.value}
      onChange={(event) => props.onChange(event.currentTarget.value)}
    />
  );
}

/** Autocomplete filter that offers all options, whatever the field contains. */
const all = <Options,>({ options }: { options: Options }): Options => options;

/** Renders a drive search in the catalogue. Names of unknown drives are accepted as typed. */
function DriveField(props: FactFieldProps) {
  const [debounced] = useDebouncedValue(props.value.trim(), 200);
  const driveSearchResult = useQuery({ ...driveSearchQuery(debounced), enabled: debounced.length > 1 });
  const drives = debounced.length > 1 ? (driveSearchResult.data?.drives ?? []) : [];
  const about = new Map(
    drives.map((drive) => [
      `${drive.vendor ?? ""} ${drive.name}`.trim(),
      [drive.interface, drive.form_factor, ...drive.capacities_bytes.map((bytes) => writeBytes(bytes))]
        .filter((part) => part !== null && part !== "")
        .join(" · "),
    ]),
  );
  return (
    <Autocomplete
      {...shared(props)}
      data={[...about.keys()]}
      filter={all}
      value={props.value}
      onChange={props.onChange}
      renderOption={({ option }) => (
        <span className="stack-2">
          {option.value}
          <span className="dim smaller">{about.get(option.value)}</span>
        </span>
      )}
      maxDropdownHeight={280}
    />
  );
}

/** Renders a date and time picker and a UTC offset, which together form one value. */
function MomentField(props: FactFieldProps) {
  const { form, value, onChange } = props;
  const { local, offset } = splitMoment(value);
  const own = writeOffset(-new Date(local === "" ? Date.now() : local).getTimezoneOffset());
  const shown = offset === "" ? own : offset;
  const offsets = OFFSETS.includes(shown) ? OFFSETS : [...OFFSETS, shown];
  const write = (nextLocal: string, nextOffset: string) =>
    onChange(nextLocal === "" ? "" : `${nextLocal}${nextOffset}`);
  return (
    <div className={classes["moment"]}>
      <TextInput
        {...shared(props)}
        type="datetime-local"
        step={1}
        value={local}
        onChange={(event) => write(event.currentTarget.value, shown)}
      />
      <NativeSelect
        aria-label={`${form.label}: offset from UTC`}
        data={offsets.map((utcOffset) => ({ value: utcOffset, label: `UTC${utcOffset}` }))}
        value={shown}
        onChange={(event) => write(local, event.currentTarget.value)}
      />
    </div>
  );
}

function ChoiceField({ choices, ...props }: FactFieldProps & { choices: readonly string[] }) {
  return (
    <NativeSelect
      {...shared(props)}
      data={[{ value: "", label: "not stated" }, ...choices]}
      value={props.value}
      onChange={(event) => props.onChange(event.currentTarget.value)}
    />
  );
}

function SwitchField({ form, value, problem, onChange }: FactFieldProps) {
  const id = useId();
  return (
    <Input.Wrapper
      label={form.label}
      description={form.hint}
      error={problem}
      inputWrapperOrder={HINT_BELOW}
      labelElement="div"
      labelProps={{ id }}
    >
      <SegmentedControl
        size="xs"
        aria-labelledby={id}
        style={{ marginTop: 2 }}
        data={[
          { value: "", label: "not stated" },
          { value: "on", label: "on" },
          { value: "off", label: "off" },
        ]}
        value={value}
        onChange={onChange}
      />
    </Input.Wrapper>
  );
}

/** Renders a serial number field. On blur, its SHA-256 replaces the number, which is never sent. */
function SerialField(props: FactFieldProps) {
  const { value, onChange } = props;
  const [unable, setUnable] = useState(false);
  const leave = async () => {
    const typed = value.trim();
    if (typed === "" || SHA256.test(typed)) return;
    const hash = await hashSerial(typed);
    if (hash === null) setUnable(true);
    else onChange(hash);
  };
  return (
    <TextInput
      {...shared(props)}
      error={
        unable && !SHA256.test(value.trim()) && value.trim() !== ""
          ? "This browser hashes only over https. Paste the SHA-256: printf %s SERIAL | sha256sum"
          : props.problem
      }
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      onBlur={() => void leave()}
    />
  );
}
