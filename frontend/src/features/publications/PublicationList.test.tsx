import { screen } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import type { PublicationSummary } from "@/api/publications";
import { show } from "@/test/render";
import { PublicationList } from "./PublicationList";

const document: PublicationSummary = {
  slug: "a-page",
  title: "A page of results",
  publisher: "Somebody",
  kind: "third_party",
  url: null,
  date_as_printed: null,
  claim_count: 1200,
  row_count: 1,
  finding_count: 3,
  high_count: 1,
  high_kinds: ["mislabelled table", "unequal load"],
};
const sound = { ...document, slug: "b", title: "Another", finding_count: 0, high_count: 0, high_kinds: [] };

const answer = (body: unknown, status = 200) =>
  vi.spyOn(globalThis, "fetch").mockImplementation(async () => Response.json(body, { status }));

describe("the list of publications", () => {
  it("begins with how many hold up, and says of each what was found", async () => {
    answer({ publications: [document, sound, { ...sound, slug: "c", title: "Prices", claim_count: 0 }] });
    show(<PublicationList />);
    expect((await screen.findByRole("link", { name: "A page of results" })).getAttribute("href")).toBe(
      "/publications/a-page",
    );
    expect(screen.getByRole("heading", { level: 1 }).textContent).toBe(
      "Serious findings against 1 of 2 published benchmarks",
    );
    expect(screen.getByText("Mislabelled table · unequal load")).toBeTruthy();
    expect(screen.getByText("3 findings")).toBeTruthy();
    expect(screen.getByText("No finding")).toBeTruthy();
    expect(screen.getAllByText("1,200 numbers")).toHaveLength(2);
    expect(screen.getByRole("region", { name: "Facts and prices only" }).textContent).toContain("Prices");
  });

  it("says what to expect where there is none", async () => {
    answer({ publications: [] });
    show(<PublicationList />);
    expect(await screen.findByText("No publication is on record")).toBeTruthy();
  });

  it("says what went wrong, and can be asked again", async () => {
    answer({ status: 400, title: "Not now", detail: "Try later.", code: "x" }, 400);
    show(<PublicationList />);
    expect(await screen.findByText("Not now")).toBeTruthy();
    expect(screen.getByRole("button", { name: "Try again" })).toBeTruthy();
  });
});
