// Renders an input for a one-time or recovery code that phones and password managers can fill in.
import { TextInput, type TextInputProps } from "@mantine/core";

export function CodeInput({ description = "Six digits", ...props }: TextInputProps) {
  return (
    <TextInput
      description={description}
      autoComplete="one-time-code"
      spellCheck={false}
      maxLength={40}
      required
      {...props}
    />
  );
}
