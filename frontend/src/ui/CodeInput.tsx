// A code of an app, or a recovery code, as phones and password managers fill it in.
import { TextInput, type TextInputProps } from "@mantine/core";

export function CodeInput({ description = "Six digits", ...props }: TextInputProps) {
  return (
    <TextInput
      description={description}
      autoComplete="one-time-code"
      spellCheck={false}
      maxLength={40}
      required
      withAsterisk={false}
      {...props}
    />
  );
}
