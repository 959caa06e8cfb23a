// The heatmap of a run: read by keyboard, zoomed, and stored in the URL.
import { readFileSync } from "node:fs";
import { expect, expectAccessibleInBothThemes, test } from "../../fixtures/test.ts";

test("a run's heatmap is read, zoomed and linked to", async ({ page, finishedRun }) => {
  await page.goto(`/runs/${finishedRun.run_id}`);
  const figure = page.getByRole("figure", { name: /every bucket over time/ });
  const reader = figure.getByRole("slider");
  await reader.press("ArrowRight");
  await expect(reader).toHaveAttribute("aria-valuetext", /operations, most of them .*, the slowest /);
  const colours = () =>
    figure.locator("canvas").evaluate((canvas: HTMLCanvasElement) => {
      const image = canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height);
      return new Set(new Uint32Array(image?.data.buffer ?? new ArrayBuffer(0))).size;
    });
  // The heatmap is drawn once its width is known.
  await expect.poll(colours).toBeGreaterThan(3);

  for (const [form, least_bytes] of [
    ["PNG", 8_000],
    ["SVG", 4_000],
  ] as const) {
    await figure.getByRole("button", { name: "Download" }).click();
    const download = page.waitForEvent("download");
    await page.getByRole("menuitem", { name: form }).click();
    const file = await (await download).path();
    const content = readFileSync(file);
    expect(content.length).toBeGreaterThan(least_bytes);
    if (form === "SVG") expect(content.toString()).toMatch(/<image [^>]*href="data:image\/png/);
  }

  await figure.getByRole("button", { name: "Zoom in" }).click();
  await expect(page).toHaveURL(/from=\d.*to=\d/);
  await expect(figure.getByRole("button", { name: "Whole run" })).toBeEnabled();
  await page.reload();
  await expect(figure.getByRole("button", { name: "Later" })).toBeEnabled();
  await figure.getByRole("button", { name: "View as table" }).click();
  await expect(figure.getByRole("row").nth(1)).toBeVisible();
  await figure.getByRole("button", { name: "View as table" }).click();
  await expectAccessibleInBothThemes(page);
  await figure.getByRole("button", { name: "Whole run" }).click();
  await expect(page).not.toHaveURL(/from=/);
});
