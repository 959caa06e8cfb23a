// The supported result file formats.
import { queryOptions } from "@tanstack/react-query";
import { get } from "./client";
import type { Schemas } from "./types";

export type FormatTool = Schemas["FormatToolOut"];

export const formatsQuery = () =>
  queryOptions({
    queryKey: ["formats"] as const,
    queryFn: ({ signal }) => get("/api/v1/formats", {}, signal),
    // The formats change only with releases.
    staleTime: Number.POSITIVE_INFINITY,
  });
