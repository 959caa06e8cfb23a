// A code of an app, or a recovery code, as phones and password managers fill it in.
import { TextInput } from "@mantine/core";

type CodeInputProps = {
  label: string;
  value: string;
  onChange: (value: string) => void;
  description?: string;
  error?: string | null;
};

export function CodeInput({ label, value, onChange, description, error = null }: CodeInputProps) {
  return (
    <TextInput
      label={label}
      description={description ?? "Six digits"}
      autoComplete="one-time-code"
      spellCheck={false}
      maxLength={40}
      required
      withAsterisk={false}
      value={value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
