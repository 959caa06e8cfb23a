// Compare page: answer, warning, numbers and charts.
import type { Locator, Page } from "@playwright/test";

export class ComparePage {
  readonly subjects: Locator;
  readonly guard: Locator;
  readonly picker: Locator;
  readonly loads: Locator;
  readonly verdicts: Locator;

  constructor(private readonly page: Page) {
    this.subjects = page.getByRole("list", { name: "Subjects" });
    this.guard = page.getByRole("note", { name: "Why these cannot be compared" });
    this.picker = page.getByRole("combobox", { name: "Add a subject" });
    this.loads = page.getByRole("region", { name: "Load of each" }).first();
    this.verdicts = page.getByRole("region", { name: "Verdicts beside each other" });
  }

  async open(subjects: readonly string[], more = ""): Promise<void> {
    await this.page.goto(`/compare?of=${encodeURIComponent(subjects.join(","))}${more}`);
  }

  /** Returns the answer sentence of a pair. */
  answer(text: string | RegExp): Locator {
    return this.page.getByRole("heading", { level: 2, name: text });
  }

  gain(label: string): Locator {
    return this.page
      .getByRole("group", { name: /^Gains of/ })
      .first()
      .getByRole("row")
      .filter({ has: this.page.getByRole("rowheader", { name: label, exact: true }) });
  }

  chart(name: string | RegExp): Locator {
    return this.page.getByRole("figure", { name });
  }
}
