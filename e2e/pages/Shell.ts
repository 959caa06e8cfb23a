// Elements on every page: navigation, palette, help, colour scheme, skip link.
import type { Locator, Page } from "@playwright/test";

export class Shell {
  readonly skipLink: Locator;
  readonly main: Locator;
  readonly palette: Locator;
  readonly paletteField: Locator;
  readonly help: Locator;

  constructor(private readonly page: Page) {
    this.skipLink = page.getByRole("link", { name: "Skip to the content" });
    this.main = page.getByRole("main");
    this.palette = page.getByRole("dialog", { name: "Find runs, drives, publications, pages and actions" });
    this.paletteField = page.getByRole("combobox", { name: "Find runs, drives, publications, pages and actions" });
    this.help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  }

  link(name: string): Locator {
    return this.page.getByRole("navigation", { name: "Main" }).getByRole("link", { name });
  }

  async chooseScheme(name: "Light" | "Dark" | "As the system"): Promise<void> {
    await this.page.getByRole("button", { name: /^Colour scheme/ }).click();
    await this.page.getByRole("menuitem", { name }).click();
  }

  /** Returns the current scheme, `light` or `dark`. */
  async scheme(): Promise<string | null> {
    return this.page.locator("html").getAttribute("data-mantine-color-scheme");
  }

  async openPalette(): Promise<void> {
    // Keyboard shortcuts work once the page's frame is rendered.
    await this.page.getByRole("button", { name: "Find" }).waitFor();
    await this.page.keyboard.press("Control+k");
    await this.paletteField.waitFor();
  }
}
