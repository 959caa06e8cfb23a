// The answer as a file: the question, the conditions and every row, as the API gives them. The table is the API's own.
import type { Leaderboard } from "@/api/types";

export const documentOf = ({ next_cursor: _, ...answer }: Leaderboard): string =>
  `${JSON.stringify(answer, null, 2)}\n`;
