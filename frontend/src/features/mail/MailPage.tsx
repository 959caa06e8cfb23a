// E-mails that the installation has stored for lack of a mail server; visible to its operator.
import { useQuery } from "@tanstack/react-query";
import { storedMailQuery } from "@/api/account";
import { formatMoment } from "@/lib/format";
import { Empty, QueryView } from "@/ui/states";
import { usePageTitle } from "@/ui/usePageTitle";

export function MailPage() {
  usePageTitle("Mail of this machine");
  const mails = useQuery(storedMailQuery());
  return (
    <div className="stack-16" style={{ maxWidth: "88ch" }}>
      <header className="wrap-anywhere">
        <h1>Mail of this machine</h1>
        <p>
          No mail server is set, so mails stay here for a week. Set <code>TAILROOM_SMTP_URL</code> to send them.
        </p>
      </header>
      {mails.data === undefined ? (
        <QueryView query={mails} what="the mails" lines={4} height={40} />
      ) : mails.data.mails.length === 0 ? (
        <Empty title="No mail yet" />
      ) : (
        mails.data.mails.map((mail) => (
          <article key={mail.name} className="stack-8 panel">
            <h2>{mail.subject}</h2>
            <p className="dim">
              To {mail.to}, {formatMoment(mail.written_at)}
            </p>
            <p className="wrap-anywhere" style={{ whiteSpace: "pre-wrap" }}>
              {withLinks(mail.text)}
            </p>
          </article>
        ))
      )}
    </div>
  );
}

/** Returns the text with links for its addresses inside this installation. */
function withLinks(text: string) {
  let at = 0;
  return text
    .trim()
    .split(/(https?:\/\/\S+)/)
    .map((part) => {
      const key = at;
      at += part.length;
      const isOwn = /^https?:/.test(part) && URL.canParse(part) && new URL(part).origin === window.location.origin;
      return isOwn ? (
        <a key={key} href={part}>
          {part}
        </a>
      ) : (
        part
      );
    });
}
