// Renders the mark of a simulated run, shown beside its title everywhere.

export function Simulated({ run }: { run: { simulated: boolean } }) {
  if (!run.simulated) return null;
  return (
    <span
      className="nowrap muted smaller tag"
      style={{ border: "1px dashed var(--ink-3)" }}
      title="Simulated by an engine without a drive. Simulated runs are never ranked or matched."
    >
      simulated
    </span>
  );
}
