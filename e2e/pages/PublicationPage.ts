// Publication page: verdict on its numbers, findings, and all numbers with an anchor per row.
import type { Locator, Page } from "@playwright/test";

export class PublicationPage {
  readonly verdict: Locator;
  readonly findings: Locator;
  readonly conditions: Locator;

  constructor(readonly page: Page) {
    this.verdict = page.getByRole("region", { name: "Do its numbers hold up?" });
    this.findings = page.getByRole("region", { name: "Audit findings" });
    this.conditions = page.getByRole("region", { name: "How it was measured" });
  }

  async open(slug: string, rest = ""): Promise<void> {
    await this.page.goto(`/publications/${slug}${rest}`);
  }

  table(title: string): Locator {
    return this.page.getByRole("region", { name: title, exact: true });
  }

  /** Returns the row that evidence links point to. */
  row(name: string): Locator {
    return this.page.locator(`[id="${name}"]`);
  }

  finding(text: string | RegExp): Locator {
    return this.findings.getByRole("listitem").filter({ hasText: text });
  }
}
