// The answer as a file: the question, the conditions and every row, as the API gives them. The table is the API's own.
// Programs read plain spaces; only lines on a page need others.
import type { Leaderboard } from "@/api/types";

export const documentOf = ({ next_cursor: _, ...answer }: Leaderboard): string =>
  `${JSON.stringify(answer, null, 2).replaceAll("\u00a0", " ")}\n`;
