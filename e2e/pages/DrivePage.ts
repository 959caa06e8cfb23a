// Drive page: highest load, load curve, all tests with their evidence, comparability, badge.
import type { Locator, Page } from "@playwright/test";

export class DrivePage {
  readonly answer: Locator;
  readonly ladder: Locator;
  readonly curve: Locator;
  readonly tests: Locator;
  readonly audit: Locator;
  readonly comparability: Locator;
  readonly specification: Locator;
  readonly badge: Locator;

  constructor(private readonly page: Page) {
    this.answer = page.getByRole("region", { name: "Which load does it hold?" });
    this.ladder = this.answer.getByRole("table");
    this.curve = page.getByRole("figure", { name: /share over .* by load/ });
    this.tests = page.getByRole("region", { name: "Every tested load" });
    this.audit = page.getByRole("region", { name: "Audit of the evidence" });
    this.comparability = page.getByRole("region", { name: "What may be compared" });
    this.specification = page.getByRole("region", { name: "Specification" });
    this.badge = page.getByRole("region", { name: "Embed this rating" });
  }

  async open(slug: string, query = ""): Promise<void> {
    await this.page.goto(`/drives/${slug}${query}`);
  }

  heading(name: string): Locator {
    return this.page.getByRole("heading", { level: 1, name });
  }
}
