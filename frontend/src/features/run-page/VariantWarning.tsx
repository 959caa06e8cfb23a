// Warning that the run's drive differs from the tested drives of its model.
import { useQuery } from "@tanstack/react-query";
import { driveVariantQuery } from "@/api/queries";
import type { DriveVariant } from "@/api/types";
import { IconWarning } from "@/ui/icons";
import { DriveLink } from "@/ui/links";

const OF_DRIVES = ["act-storage", "qualify"];

export function VariantWarning({ runId, workload }: { runId: string; workload: string }) {
  const variant = useQuery({ ...driveVariantQuery(runId), enabled: OF_DRIVES.includes(workload) }).data;
  return variant === undefined ? null : <Warnings variant={variant} />;
}

export function Warnings({ variant: { drive, warnings } }: { variant: DriveVariant }) {
  if (drive === null || warnings.length === 0) return null;
  return (
    <div role="note">
      {warnings.map((warning) => (
        <p key={warning}>
          <IconWarning aria-hidden="true" /> {warning}
        </p>
      ))}
      <p>
        <DriveLink slug={drive.slug}>
          Tests of {drive.vendor} {drive.name}
        </DriveLink>
      </p>
    </div>
  );
}
