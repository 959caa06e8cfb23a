import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { expect, it } from "vitest";
import { replaceAnswer } from "./client";

it("shows no answer that was under way before the change", async () => {
  const queries = new QueryClient();
  const queryKey = ["run", "detail"];
  queries.setQueryData(queryKey, "private");
  let answer = (_: string): void => undefined;
  const older = new Promise<string>((resolve) => {
    answer = resolve;
  });
  const observer = new QueryObserver(queries, { queryKey, queryFn: () => older });
  const end = observer.subscribe(() => undefined);
  void observer.refetch();
  await replaceAnswer(queries, queryKey, "public");
  answer("private");
  await older;
  await new Promise((resolve) => setTimeout(resolve));
  expect(queries.getQueryData(queryKey)).toBe("public");
  end();
});
