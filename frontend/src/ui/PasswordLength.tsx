// How strong a password is as far as its length says, while it is typed. Common ones are refused when they are sent.
export function PasswordLength({ password, least }: { password: string; least: number }) {
  if (password === "") return null;
  const most = 2 * least;
  const missing = least - password.length;
  return (
    <div className="dim" role="status">
      <meter
        aria-label="Length of the password"
        min={0}
        max={most}
        low={least}
        optimum={most}
        value={password.length}
      />{" "}
      {missing > 0
        ? `${missing} more ${missing === 1 ? "character is" : "characters are"} needed.`
        : password.length < most
          ? "Long enough. Another word makes it stronger."
          : "Long."}
    </div>
  );
}
