import { Link } from "@tanstack/react-router";
import type { AnchorHTMLAttributes } from "react";
import type { PublicationSearch } from "./address";

type PlaceLinkProps = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, "href" | "target"> & {
  slug: string;
  view: PublicationSearch;
  hash?: string;
};

/** Links to a row, a table or a finding on the page of a document. */
export const PlaceLink = ({ slug, view, ...props }: PlaceLinkProps) => (
  <Link to="/publications/$slug" params={{ slug }} search={view} resetScroll={false} {...props} />
);
