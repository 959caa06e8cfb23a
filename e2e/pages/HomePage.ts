// Home page: running work, latest verdicts, next steps.
import type { Locator, Page } from "@playwright/test";

export class HomePage {
  readonly heading: Locator;
  readonly latest: Locator;

  constructor(private readonly page: Page) {
    this.heading = page.getByRole("heading", { level: 1 });
    this.latest = page.getByRole("region", { name: "Latest verdicts" });
  }

  async open(): Promise<void> {
    await this.page.goto("/");
  }
}
