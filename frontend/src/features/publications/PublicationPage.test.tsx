import { screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { show } from "@/test/render";
import { PublicationPage } from "./PublicationPage";

const PRICES = {
  ...{ slug: "prices", title: "Prices of clouds", publisher: "Somebody", kind: "third_party", url: null },
  ...{ date_as_printed: null, document: "a table", conditions: {}, not_disclosed: [], claim_count: 0 },
  ...{ tables: [], findings: [], recomputed: [] },
  specs: [{ slug: "amazon-i3-2xlarge", kind: "drive", vendor: "Amazon", name: "i3.2xlarge local SSD", facts: [] }],
};

it("a document of facts and prices names its drives, instead of an audit of no numbers", async () => {
  vi.spyOn(globalThis, "fetch").mockImplementation(async (given) =>
    Response.json((given as Request).url.endsWith("/publications/prices") ? PRICES : { drives: [], items: [] }),
  );
  show(<PublicationPage slug="prices" view={{}} target={null} onView={() => {}} />);
  const drive = await screen.findByRole("link", { name: "Amazon i3.2xlarge local SSD" });
  expect(drive.getAttribute("href")).toBe("/drives/amazon-i3-2xlarge");
  expect(screen.queryByText(/No check of the product/)).toBeNull();
  expect(screen.queryByText(/0 numbers/)).toBeNull();
});
