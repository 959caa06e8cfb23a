// The supported result file formats.
import { getQuery } from "./client";
import type { Schemas } from "./types";

export type FormatTool = Schemas["FormatToolOut"];

/** Returns the formats, which change only with releases. */
export const formatsQuery = () => getQuery(["formats"], "/api/v1/formats", {}, { staleTime: Number.POSITIVE_INFINITY });
