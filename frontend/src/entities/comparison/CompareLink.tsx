// Links to a comparison with the subjects that were compared last.
import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { searchOf, storedSubjects, withSubject } from "./subjects";

type CompareLinkProps = { subject: string; name?: string; button?: boolean };

/** Renders the link. `name` identifies the subject for assistive technology if a page has several such links. */
export function CompareLink({ subject, name, button = false }: CompareLinkProps) {
  const search = searchOf(withSubject(storedSubjects(), subject));
  if (button)
    return (
      <Button size="xs" renderRoot={(props) => <Link to="/compare" search={search} {...props} />}>
        Compare
      </Button>
    );
  return (
    <Link to="/compare" search={search} {...(name === undefined ? {} : { "aria-label": `Compare ${name}` })}>
      Compare
    </Link>
  );
}
