// Which result files are read.
import { queryOptions } from "@tanstack/react-query";
import { client, unwrap } from "./client";
import type { components } from "./generated/schema";

export type FormatTool = components["schemas"]["FormatToolOut"];

export const formatsQuery = () =>
  queryOptions({
    queryKey: ["formats"] as const,
    queryFn: ({ signal }) => unwrap(client.GET("/api/v1/formats", { signal })),
    // The table changes with releases only.
    staleTime: Number.POSITIVE_INFINITY,
  });
