// Table of the drive's own counters per test: write amplification, lifetime, wear and temperature.
import type { DriveTest } from "@/api/drivePage";
import { COUNTERS, counterText, NO_COUNTER } from "@/entities/drive/counters";
import { loadText } from "@/entities/drive/ratings";
import { groupBy } from "@/lib/groupBy";
import { DataTable, RIGHT } from "@/ui/DataTable";
import { Section } from "@/ui/Section";
import { Unknown } from "@/ui/Value";
import { sourceOfTest } from "./facts";
import { SourceLink } from "./SourceLink";

/** Shows the counters of the tests; null if no test has counters. */
export function DriveCounters({ tests }: { tests: readonly DriveTest[] }) {
  const counted = onePerRun(tests);
  if (counted.length === 0) return null;
  const columns = COUNTERS.filter(({ figure }) => counted.some((test) => counterText(test.counters, figure) !== null));
  return (
    <Section
      className="stack-12 panel"
      title={countersTitle(counted)}
      note="From before each test to after its last operation, by the drive’s own counters, with the bounds that they leave."
    >
      <DataTable
        label="Counters of the drive, by test"
        plain
        rows={counted}
        columns={[
          { header: "Load", accessorFn: ({ load }) => <strong>{loadText(load)}</strong>, meta: RIGHT },
          ...columns.map(({ name, meaning, figure }) => ({
            header: name,
            accessorFn: ({ counters }: DriveTest) => counterText(counters, figure) ?? <Unknown reason={NO_COUNTER} />,
            meta: { ...RIGHT, title: meaning },
          })),
          {
            header: "Firmware",
            accessorFn: ({ firmware }) => firmware ?? <Unknown reason="the run does not state it" />,
          },
          { header: "Test", accessorFn: ({ source }) => <SourceLink source={sourceOfTest(source)} /> },
        ]}
      />
    </Section>
  );
}

/** Returns one test per run, by load: service and response time of a run have the same counters. */
function onePerRun(tests: readonly DriveTest[]): DriveTest[] {
  const counted = tests.filter(({ counters }) => counters.length > 0);
  const byRun = groupBy(counted, ({ source, test_id }) => source.run_id ?? test_id);
  return [...byRun.values()].map(([first]) => first).sort((a, b) => a.load - b.load);
}

export function countersTitle(counted: readonly DriveTest[]): string {
  const highest = counted.findLast((test) => counterText(test.counters, "write_amplification_ratio") !== null);
  return highest === undefined
    ? "The drive’s own counters"
    : `At ${loadText(highest.load)} each byte from the host became ${counterText(highest.counters, "write_amplification_ratio")} on the flash`;
}
