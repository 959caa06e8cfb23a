// Run list page, filtered and ordered by its URL.
import type { Locator, Page } from "@playwright/test";

export class RunListPage {
  readonly heading: Locator;
  readonly search: Locator;
  readonly rows: Locator;
  readonly count: Locator;
  readonly clear: Locator;

  constructor(private readonly page: Page) {
    this.heading = page.getByRole("heading", { level: 1, name: "Runs" });
    this.search = page.getByRole("textbox", { name: "Title or host" });
    this.rows = page.getByRole("table").getByRole("row");
    this.count = page.getByRole("main").getByRole("status").first();
    this.clear = page.getByRole("button", { name: "Clear the filters" });
  }

  async open(query = ""): Promise<void> {
    await this.page.goto(`/runs${query}`);
  }

  run(title: string): Locator {
    return this.page.getByRole("link", { name: title, exact: true });
  }

  row(title: string): Locator {
    return this.rows.filter({ has: this.run(title) });
  }

  async choose(filter: "State" | "Workload", option: string): Promise<void> {
    await this.page.getByRole("combobox", { name: filter }).click();
    await this.page.getByRole("option", { name: option, exact: true }).click();
  }
}
