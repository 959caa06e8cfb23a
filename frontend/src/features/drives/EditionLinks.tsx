// Links to the boards of past quarters.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { editionsQuery } from "@/api/editions";
import { fullSearch } from "@/entities/question/address";
import type { DrivesSearch } from "./address";

/** `current`: name of the shown edition; undefined on the current board. */
export function EditionLinks({ current }: { current?: string }) {
  const editions = useQuery(editionsQuery());
  const items = editions.data?.items ?? [];
  if (items.length === 0) return null;
  return (
    <nav aria-label="Editions" className="no-print">
      Editions, which never change:{" "}
      {items.map(({ name }, index) => (
        <span key={name}>
          {index === 0 ? "" : " · "}
          {name === current ? (
            <strong aria-current="page">{name}</strong>
          ) : (
            <Link to="/drives" search={fullSearch<DrivesSearch>({ edition: name })}>
              {name}
            </Link>
          )}
        </span>
      ))}
      {current === undefined ? null : (
        <>
          {" · "}
          <Link to="/drives" search={fullSearch<DrivesSearch>({})}>
            the living board
          </Link>
        </>
      )}
    </nav>
  );
}
