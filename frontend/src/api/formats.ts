// The supported result file formats.

import type { components } from "@generated/api";
import { queryOptions } from "@tanstack/react-query";
import { get } from "./client";

export type FormatTool = components["schemas"]["FormatToolOut"];

export const formatsQuery = () =>
  queryOptions({
    queryKey: ["formats"] as const,
    queryFn: ({ signal }) => get("/api/v1/formats", {}, signal),
    // The formats change only with releases.
    staleTime: Number.POSITIVE_INFINITY,
  });
