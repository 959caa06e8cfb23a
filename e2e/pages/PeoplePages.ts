// Sign-up and sign-in pages, and the mails of an installation that stores them as files.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { poll } from "../fixtures/poll.ts";

export const PASSWORD = "seven violet otters negotiate";

/** Returns the link in the newest mail to `to` with a matching subject. The product stores mails as files. */
export async function mailedLink(product: { home: string }, to: string, subject: RegExp): Promise<string> {
  const folder = join(product.home, "mail");
  return poll(
    async () => {
      for (const name of readdirSync(folder).sort().reverse()) {
        const mail = quotedPrintable(readFileSync(join(folder, name), "utf8"));
        const [, subjectOfMail = ""] = /^Subject: (.*)$/m.exec(mail) ?? [];
        if (new RegExp(`^To: ${to}\\s*$`, "m").test(mail) && subject.test(subjectOfMail)) {
          return /https?:\/\/\S+#\S+/.exec(mail)?.[0] ?? null;
        }
      }
      return null;
    },
    { within_ms: 15_000, what: `a mail to ${to}` },
  );
}

function quotedPrintable(text: string): string {
  const joined = text.replaceAll(/=\r?\n/g, "");
  return joined.replaceAll(/=([0-9A-F]{2})/g, (_, byte: string) => String.fromCharCode(Number.parseInt(byte, 16)));
}

export class PeoplePages {
  constructor(private readonly page: Page) {}

  async signUp(url: string, email: string, organisation: string): Promise<void> {
    await this.page.goto(`${url}/sign-up`);
    await this.page.getByLabel("Organisation").fill(organisation);
    await this.page.getByLabel("E-mail address").fill(email);
    await this.page.getByRole("button", { name: "Send the link" }).click();
    await this.page.getByText(`A mail is on its way to ${email}`).waitFor();
  }

  async choosePassword(link: string, name: string): Promise<void> {
    // A URL that differs only after the # would not reload the page.
    await this.page.goto("about:blank");
    await this.page.goto(link);
    await this.page.getByLabel("Your name").fill(name);
    await this.page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await this.page.getByRole("button", { name: "Store the password" }).click();
    await this.page.getByRole("button", { name: /^Account:/ }).waitFor();
  }

  async signIn(email: string): Promise<void> {
    await this.page.getByLabel("E-mail address").fill(email);
    await this.page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await this.page.getByRole("button", { name: "Sign in", exact: true }).click();
    await this.page.getByRole("button", { name: /^Account:/ }).waitFor();
  }

  async menu(item: string): Promise<void> {
    await this.page.getByRole("button", { name: /^Account/ }).click();
    await this.page.getByRole("menuitem", { name: item }).click();
  }
}
