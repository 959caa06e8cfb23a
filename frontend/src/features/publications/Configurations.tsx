// Configurations with figures in the document, each with a link to compare it.
import { useQuery } from "@tanstack/react-query";
import { publishedSubjectsQuery } from "@/api/comparisons";
import { CompareLink } from "@/entities/comparison/CompareLink";
import { plural } from "@/lib/format";

export function Configurations({ slug }: { slug: string }) {
  const published = useQuery(publishedSubjectsQuery());
  const own = (published.data?.subjects ?? []).filter((subject) => subject.publication_slug === slug);
  if (own.length === 0) return null;
  return (
    <details className="no-print">
      <summary>Compare its {plural(own.length, "configuration")}</summary>
      <ul>
        {own.map((subject) => (
          <li key={subject.subject}>
            {subject.label} <CompareLink subject={subject.subject} name={subject.label} />
          </li>
        ))}
      </ul>
    </details>
  );
}
