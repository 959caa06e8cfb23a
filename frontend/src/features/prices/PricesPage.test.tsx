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
  stated_on: "2026-11-01",
  source: "offer 12",
};

function api(): string[] {
  const stored: string[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (given) => {
    const request = given as Request;
    if (request.method === "PUT") stored.push((await request.json()).csv);
    if (new URL(request.url).pathname === "/api/v1/price-list") return Response.json({ entries: [ENTRY] });
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
