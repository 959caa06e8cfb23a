// Puts something beside what was compared last.
import { Link } from "@tanstack/react-router";
import { rememberedSubjects, searchOf, withSubject } from "./subjects";

type CompareLinkProps = { subject: string; label?: string; name?: string };

/** `name` says what is compared, where many such links stand on a page. */
export function CompareLink({ subject, label = "Compare", name }: CompareLinkProps) {
  return (
    <Link
      to="/compare"
      search={searchOf(withSubject(rememberedSubjects(), subject))}
      {...(name === undefined ? {} : { "aria-label": `${label} ${name}` })}
    >
      {label}
    </Link>
  );
}
