// Links to the pages of runs, drives and publications.
import { Link } from "@tanstack/react-router";
import type { AnchorHTMLAttributes } from "react";

type LinkProps = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, "href" | "target"> & {
  preload?: "intent";
  hash?: string;
};

export const RunLink = ({ id, ...props }: LinkProps & { id: string }) => (
  <Link to="/runs/$runId" params={{ runId: id }} {...props} />
);

export const DriveLink = ({ slug, ...props }: LinkProps & { slug: string }) => (
  <Link to="/drives/$slug" params={{ slug }} {...props} />
);

export const PublicationLink = ({ slug, ...props }: LinkProps & { slug: string }) => (
  <Link to="/publications/$slug" params={{ slug }} {...props} />
);
