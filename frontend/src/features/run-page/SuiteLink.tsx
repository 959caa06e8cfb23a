// Link from one load of a qualification to the qualification.
import { Link } from "@tanstack/react-router";

/** Renders the link; null for runs outside a qualification suite. */
export function SuiteLink({ plan }: { plan: Readonly<Record<string, unknown>> }) {
  const suite = plan["qualify"];
  if (suite === null || typeof suite !== "object" || !("id" in suite) || typeof suite.id !== "string") return null;
  const place = "step" in suite && "number" in suite ? ` (${String(suite.step)} ${String(suite.number)})` : "";
  return (
    <p>
      One load{place} of a{" "}
      <Link to="/qualifications/$suiteId" params={{ suiteId: suite.id }}>
        qualification of the drive
      </Link>
      .
    </p>
  );
}
