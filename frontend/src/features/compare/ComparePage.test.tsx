import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { show } from "@/test/render";
import { Start } from "./ComparePage";

it("the drives of the shortlist are offered where nothing is compared yet", () => {
  const { unmount } = show(<Start subjects={[]} choose={undefined} picked={2} onRemove={() => {}} />);
  expect(screen.getByRole("link", { name: "My shortlist side by side: 2 drives" }).getAttribute("href")).toMatch(
    /^\/drives\?compare=open/,
  );
  unmount();
  show(<Start subjects={[]} choose={undefined} picked={0} onRemove={() => {}} />);
  expect(screen.queryByRole("link", { name: /shortlist/ })).toBeNull();
});
