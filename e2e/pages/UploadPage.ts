// Upload page: detected formats, imported runs, missing facts, visibility.
import { expect, type Locator, type Page } from "@playwright/test";

export class UploadPage {
  readonly heading: Locator;
  readonly area: Locator;
  readonly picker: Locator;
  readonly sent: Locator;
  readonly files: Locator;
  readonly outcome: Locator;
  readonly recent: Locator;

  constructor(private readonly page: Page) {
    this.heading = page.getByRole("heading", { level: 1, name: "Upload a run" });
    this.area = page.getByRole("region", { name: "Send files" });
    this.picker = page.getByLabel("Files to send");
    this.sent = page.getByRole("region", { name: "Sent from this tab" });
    this.files = page.getByRole("region", { name: "What was sent" });
    this.outcome = page.getByRole("status").filter({ hasText: /^\d+ files?, / });
    this.recent = page.getByRole("region", { name: "Recent uploads" });
  }

  async open(query = ""): Promise<void> {
    await this.page.goto(`/upload${query}`);
    await expect(this.area).toBeVisible();
  }

  /** Chooses files as the button does. */
  async choose(files: Parameters<Locator["setInputFiles"]>[0]): Promise<void> {
    await this.picker.setInputFiles(files);
  }

  /** Drops files or folders in the middle of the page, with the browser's native drag events. */
  async drop(...paths: string[]): Promise<void> {
    const session = await this.page.context().newCDPSession(this.page);
    const { width, height } = this.page.viewportSize() ?? { width: 1280, height: 720 };
    const at = { x: width / 2, y: height / 2, data: { items: [], files: paths, dragOperationsMask: 1 } };
    await session.send("Input.dispatchDragEvent", { type: "dragEnter", ...at });
    await session.send("Input.dispatchDragEvent", { type: "dragOver", ...at });
    await expect(this.page.getByText("Release to send these files")).toBeVisible();
    await session.send("Input.dispatchDragEvent", { type: "drop", ...at });
    await session.detach();
  }

  /** Returns the result of one file. */
  file(name: string): Locator {
    return this.files.getByRole("article", { name, exact: true });
  }

  /** Returns an imported run by its title. */
  run(title: string | RegExp): Locator {
    return this.page
      .getByRole("article", { name: title })
      .filter({ has: this.page.getByRole("link", { name: "Open the run page" }) });
  }

  /** Returns the row of a transfer. */
  transfer(name: string): Locator {
    return this.sent.getByRole("listitem").filter({ hasText: name });
  }

  async shownUpload(): Promise<string> {
    await expect(this.page).toHaveURL(/[?&]upload=[0-9a-f-]{36}/);
    return new URL(this.page.url()).searchParams.get("upload") ?? "";
  }
}
