// Renders a meter of the password's length while it is typed. The server rejects common passwords.
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
