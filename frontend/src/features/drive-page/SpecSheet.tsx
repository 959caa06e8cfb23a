// Every fact on record about the drive, with its unit and its source. Contradicting facts are both shown and marked.
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import type { DriveFact } from "@/api/drivePage";
import { publicationListQuery } from "@/api/publications";
import { formatCapacity } from "@/entities/drive/ratings";
import { printedMeaning, printedText } from "@/lib/printed";
import { IconWarning } from "@/ui/icons";
import { ScrollRegion } from "@/ui/ScrollRegion";
import { conditionsText, factName, groupFacts, sourceOf } from "./facts";
import { SourceLink } from "./SourceLink";
import classes from "./SpecSheet.module.css";

export function SpecSheet({ facts }: { facts: readonly DriveFact[] }) {
  const titleId = useId();
  const groups = groupFacts(facts);
  const publications = useQuery(publicationListQuery());
  const titleOf = (slug: string): string =>
    publications.data?.publications.find((document) => document.slug === slug)?.title ?? slug;
  const disagreeing = groups.filter((group) => group.disagrees).length;
  return (
    <section className={`${classes["sheet"]} panel`} aria-labelledby={titleId}>
      <h2 id={titleId}>Specification</h2>
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
          <ScrollRegion label="Specification, as a table">
            <table className="data">
              <thead>
                <tr>
                  <th scope="col">Fact</th>
                  <th scope="col" className="right">
                    Value
                  </th>
                  <th scope="col">Holds for</th>
                  <th scope="col">Source</th>
                </tr>
              </thead>
              <tbody>
                {groups.flatMap((group) =>
                  group.facts.map((fact, index) => (
                    // Facts of a field may be alike in all but their place.
                    // biome-ignore lint/suspicious/noArrayIndexKey: the facts are read once and keep their order
                    <tr key={`${group.field} ${index}`} data-disagrees={fact.disagrees || undefined}>
                      <td>
                        {index === 0 ? (
                          factName(group.field)
                        ) : (
                          <span className="visually-hidden">{factName(group.field)}</span>
                        )}
                      </td>
                      <td className={`right ${classes["value"]}`}>
                        <span title={meaning(fact)}>{valueText(fact)}</span>
                        {fact.disagrees ? (
                          <span className={classes["disagrees"]}>
                            <IconWarning size={12} /> sources disagree
                          </span>
                        ) : null}
                      </td>
                      <td>{scope(fact)}</td>
                      <td>
                        <SourceLink source={sourceOf(fact.source, titleOf)} />
                      </td>
                    </tr>
                  )),
                )}
              </tbody>
            </table>
          </ScrollRegion>
        </>
      )}
    </section>
  );
}

function valueText(fact: DriveFact): string {
  if (fact.value === null) return fact.value_text ?? fact.as_printed ?? "—";
  return printedText({ ...fact, unit: fact.unit });
}

const meaning = (fact: DriveFact): string | undefined =>
  fact.value === null ? (fact.as_printed ?? undefined) : printedMeaning({ ...fact, unit: fact.unit });

function scope(fact: DriveFact): string {
  const parts = [
    fact.capacity_bytes === null ? null : formatCapacity(fact.capacity_bytes),
    conditionsText(fact.conditions),
  ].filter((part) => part !== null && part !== "");
  return parts.length === 0 ? "all capacities" : parts.join(" · ");
}
