// Prints benchmark figures: each with its goal, the median of several rounds, and the machine.
import { cpus, release, totalmem } from "node:os";

export function machine(): string {
  const [first] = cpus();
  const memory_gib = (totalmem() / 2 ** 30).toFixed(0);
  return `${first?.model ?? "unknown processor"}, ${cpus().length} cores, ${memory_gib} GiB, Linux ${release()}`;
}

export function median(values: number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = sorted[Math.floor(sorted.length / 2)];
  const before = sorted[Math.ceil(sorted.length / 2) - 1];
  if (middle === undefined || before === undefined) throw new Error("the median of nothing");
  return (middle + before) / 2;
}

export function report(lines: string[]): void {
  process.stdout.write(`\n${[`machine: ${machine()}`, ...lines].join("\n")}\n\n`);
}
