// Notice of processing steps that failed repeatedly, so that verdicts or ratings may be outdated or missing.
import type { RunDetail } from "@/api/types";
import { FailedWork } from "@/entities/removal/FailedWork";
import { formatMoment, plural, sentence } from "@/lib/format";

const WORK: Readonly<Record<string, string>> = {
  judge: "Verdicts",
  audit: "Audit of the evidence",
  rate: "Rating of the drive",
};

export function FailedRunWork({ run }: { run: RunDetail }) {
  if (run.given_up.length === 0) return null;
  return (
    <FailedWork subject={{ kind: "run", id: run.run_id }}>
      {run.given_up.map((work) => (
        <p key={work.work}>
          <strong>
            {WORK[work.work] ?? work.work}: given up after {plural(work.attempts, "attempt")}.
          </strong>{" "}
          {sentence(work.error)}. <span className="num">{formatMoment(work.given_up_at)}</span>
        </p>
      ))}
    </FailedWork>
  );
}
