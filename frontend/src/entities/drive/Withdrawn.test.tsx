import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { show } from "@/test/render";
import { Withdrawn } from "./Withdrawn";

const drive = { slug: "s3700", vendor: "Intel", name: "DC S3700" };
const one = { drive, capacity_bytes: 4e11, load: 3, run_id: "r", publication_slug: null };

it("names drive, load, moment and reason of what was withdrawn", async () => {
  show(<Withdrawn tests={[{ ...one, withdrawn_at: "2026-11-24T09:00:00Z", reason: "wrong drive was in" }]} />);
  const item = await screen.findByRole("listitem");
  expect(item.textContent).toMatch(/Intel DC S3700 at 3x, withdrawn on 24 Nov 2026.*: wrong drive was in/);
  expect(screen.getByRole("link", { name: "Intel DC S3700" }).getAttribute("href")).toContain("/drives/");
});

it("is not there where nothing was withdrawn", () => {
  show(<Withdrawn tests={[]} />);
  expect(screen.queryByRole("region")).toBeNull();
});
