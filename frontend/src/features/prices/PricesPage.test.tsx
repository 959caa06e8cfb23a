import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { show } from "@/test/render";
import { PricesPage } from "./PricesPage";

const ENTRY = {
  slug: "huawei-es3600p-v5",
  vendor: "Huawei",
  name: "ES3600P V5",
  capacity_bytes: 3_200_000_000_000,
  price: 640,
  currency: "EUR",
  power_w: 12.8,
  dwpd: null,
  per: null,
  stated_on: "2026-11-01",
  source: "offer 12",
};

const stated = (date: string, price: number) => ({
  ...{ slug: "amazon-r5d-24xlarge", vendor: "Amazon", name: "r5d.24xlarge local SSD", capacity_bytes: null },
  ...{ lower: price, upper: price, currency: "USD", per: "hour", region: "us-east-1", terms: "Linux", date },
  ...{ source: "A document", publication: "a-document", is_newest: price === 6.912, own_price: false },
});
const PUBLISHED = [
  stated("2026-07-16", 6.912),
  { ...stated("2013-07-04", 6.905), upper: 6.915 },
  { ...stated("2026-07-16", 6.912), slug: "other", name: "Other", own_price: true },
];

function api(...entries: (typeof ENTRY)[]): string[] {
  const stored: string[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (given) => {
    const request = given as Request;
    if (request.method === "PUT") stored.push((await request.json()).csv);
    const { pathname } = new URL(request.url);
    if (pathname === "/api/v1/price-list/published") return Response.json({ prices: PUBLISHED });
    if (pathname === "/api/v1/price-list") return Response.json({ entries: entries.length === 0 ? [ENTRY] : entries });
    return Response.json({ drives: [], runs: [] });
  });
  return stored;
}

it("refuses a price beside its field, and stores it once it can be read", async () => {
  const stored = api();
  show(<PricesPage />);
  const form = await screen.findByRole("form", { name: "Add or change a price" });
  await userEvent.click(await screen.findByRole("button", { name: /^Edit Huawei ES3600P V5/ }));
  const capacity = within(form).getByLabelText(/^Capacity/);
  const price = within(form).getByLabelText(/^Price/);
  await userEvent.clear(capacity);
  await userEvent.type(capacity, "1.92");
  await userEvent.clear(price);
  await userEvent.type(price, "-3");
  await userEvent.click(within(form).getByRole("button", { name: "Store the price" }));
  expect(capacity.getAttribute("aria-invalid")).toBe("true");
  expect(form.textContent).toContain("Write it with its unit, such as 1.92\u00a0TB.");
  expect(form.textContent).toContain("Write a number above 0, such as 349.90.");
  expect(stored).toEqual([]);

  await userEvent.type(capacity, " TB");
  await userEvent.clear(price);
  await userEvent.type(price, "349.90");
  await userEvent.click(within(form).getByRole("button", { name: "Store the price" }));
  await vi.waitFor(() => expect(stored).toHaveLength(1));
  expect(stored[0]).toContain("huawei-es3600p-v5,1.92 TB,349.90,EUR,12.8,,2026-11-01,offer 12");
  await vi.waitFor(() => expect((capacity as HTMLInputElement).value).toBe(""));
});

it("stores a price per hour of every capacity, and asks for the capacity of what is bought", async () => {
  const stored = api();
  show(<PricesPage />);
  const form = await screen.findByRole("form", { name: "Add or change a price" });
  await userEvent.click(await screen.findByRole("button", { name: /^Edit Huawei ES3600P V5/ }));
  const capacity = within(form).getByLabelText(/^Capacity/);
  await userEvent.selectOptions(within(form).getByLabelText("Paid"), "per hour");
  await userEvent.clear(capacity);
  await userEvent.click(within(form).getByRole("button", { name: "Store the price" }));
  await vi.waitFor(() => expect(stored).toHaveLength(1));
  expect(stored[0]).toContain("huawei-es3600p-v5,,640,EUR,12.8,,2026-11-01,offer 12,hour");

  await userEvent.click(await screen.findByRole("button", { name: /^Edit Huawei ES3600P V5/ }));
  // The browser requires the field to be filled; blanks are refused by the form.
  await userEvent.clear(capacity);
  await userEvent.type(capacity, " ");
  await userEvent.click(within(form).getByRole("button", { name: "Store the price" }));
  expect(form.textContent).toContain("A drive is bought with a capacity: write it, or choose “per hour”.");
  expect(stored).toHaveLength(1);
});

it("shows the prices of documents with source, date and age, and which of them costs come from", async () => {
  api();
  show(<PricesPage />);
  const table = await screen.findByRole("table", { name: "Published prices, as a table" });
  const texts = within(table)
    .getAllByRole("row")
    .slice(1)
    .map((row) =>
      within(row)
        .getAllByRole("cell")
        .map((cell) => cell.textContent),
    );
  expect(texts).toEqual([
    ["6.912\u00a0USD/hour", "Linux, us-east-1", "16 Jul 2026", "A document", "yes"],
    [
      "6.905–6.915\u00a0USD/hour",
      "Linux, us-east-1",
      "4 Jul 2013, price of 2013",
      "A document",
      "no, a newer one is used",
    ],
    ["6.912\u00a0USD/hour", "Linux, us-east-1", "16 Jul 2026", "A document", "no, my price is used"],
  ]);
  expect(within(table).getAllByRole("link", { name: "A document" })[0]?.getAttribute("href")).toBe(
    "/publications/a-document",
  );
});

it("reads a file again that was corrected, and refuses a workbook", async () => {
  const stored = api();
  show(<PricesPage />);
  const input = await screen.findByLabelText<HTMLInputElement>("Price list as a CSV file");
  const upload = (content: string) => userEvent.upload(input, new File([content], "prices.csv", { type: "text/csv" }));
  await upload("broken");
  await vi.waitFor(() => expect(stored).toEqual(["broken"]));
  // Browsers report a change only if the input has another file, so it must have none.
  await userEvent.click(screen.getByRole("button", { name: "Add a CSV file" }));
  expect(input.files).toHaveLength(0);

  await upload("PK\0\u0003");
  expect((await screen.findByRole("alert")).textContent).toContain("save the sheet as CSV in UTF-8");
  expect(stored).toEqual(["broken"]);
});

it("changes the price of the very capacity that is edited", async () => {
  const stored = api({ ...ENTRY, capacity_bytes: 15_362_991_415_296 }, { ...ENTRY, capacity_bytes: 15.36e12 });
  show(<PricesPage />);
  const form = await screen.findByRole("form", { name: "Add or change a price" });
  for (const [at, text] of ["15362991415296 B", "15.36 TB"].entries()) {
    await userEvent.click((await screen.findAllByRole("button", { name: /^Edit Huawei ES3600P V5/ }))[at]!);
    await userEvent.click(within(form).getByRole("button", { name: "Store the price" }));
    await vi.waitFor(() => expect(stored[at]).toContain(`huawei-es3600p-v5,${text},640`));
  }
});
