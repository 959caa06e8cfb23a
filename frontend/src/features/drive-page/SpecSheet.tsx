// Facts about the drive with unit and source. Contradicting facts are both shown, with a mark.
import { useQuery } from "@tanstack/react-query";
import type { DriveFact } from "@/api/drivePage";
import { publicationListQuery } from "@/api/publications";
import { printedMeaning, printedText } from "@/lib/printed";
import { DataTable, RIGHT } from "@/ui/DataTable";
import { IconWarning } from "@/ui/icons";
import { Section } from "@/ui/Section";
import { factName, groupFacts, scopeText, sourceOf } from "./facts";
import { SourceLink } from "./SourceLink";

export function SpecSheet({ facts }: { facts: readonly DriveFact[] }) {
  const groups = groupFacts(facts);
  const rows = groups.flatMap(({ field, facts: own }) => own.map((fact, index) => ({ field, index, fact })));
  const publications = useQuery(publicationListQuery());
  const titleOf = (slug: string): string =>
    publications.data?.publications.find((document) => document.slug === slug)?.title ?? slug;
  const disagreeing = groups.filter((group) => group.disagrees).length;
  return (
    <Section title="Specification" className="stack-8 panel">
      {groups.length === 0 ? (
        <p>No specification of this drive is on record.</p>
      ) : (
        <>
          <p className="dim">
            As printed by the sources named.{" "}
            {disagreeing === 0
              ? "No two sources contradict each other."
              : "Where sources disagree, all of them are shown; none is preferred."}
          </p>
          <DataTable
            label="Specification, as a table"
            plain
            rows={rows}
            columns={[
              {
                header: "Fact",
                accessorFn: ({ field, index }) =>
                  index === 0 ? factName(field) : <span className="visually-hidden">{factName(field)}</span>,
              },
              {
                header: "Value",
                accessorFn: ({ fact }) => (
                  <>
                    <span title={meaning(fact)}>{valueText(fact)}</span>
                    {fact.disagrees ? (
                      <span className="icon-text unsure smaller">
                        <IconWarning size={12} /> sources disagree
                      </span>
                    ) : null}
                  </>
                ),
                meta: { ...RIGHT, className: "nowrap" },
              },
              { header: "Holds for", accessorFn: ({ fact }) => scopeText(fact) },
              { header: "Source", accessorFn: ({ fact }) => <SourceLink source={sourceOf(fact.source, titleOf)} /> },
            ]}
          />
        </>
      )}
    </Section>
  );
}

function valueText(fact: DriveFact): string {
  if (fact.value === null) return fact.value_text ?? fact.as_printed ?? "—";
  return printedText({ ...fact, unit: fact.unit });
}

const meaning = (fact: DriveFact): string | undefined =>
  fact.value === null ? (fact.as_printed ?? undefined) : printedMeaning({ ...fact, unit: fact.unit });
