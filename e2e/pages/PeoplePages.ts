// Where people sign up and in, and the mails of an installation that sends none.
import type { Page } from "@playwright/test";
import { poll } from "../fixtures/poll.ts";

export const PASSWORD = "seven violet otters negotiate";

interface Mails {
  mails: { to: string; subject: string; text: string }[];
}

/** The link in the newest mail to somebody with this subject, as whoever is at the machine reads it. */
export async function mailedLink(productUrl: string, to: string, subject: RegExp): Promise<string> {
  return poll(
    async () => {
      const answer = await fetch(`${productUrl}/api/v1/mail`);
      const { mails } = (await answer.json()) as Mails;
      const mail = mails.find((one) => one.to === to && subject.test(one.subject));
      return /https?:\/\/\S+#\S+/.exec(mail?.text ?? "")?.[0] ?? null;
    },
    { within_ms: 15_000, what: `a mail to ${to}` },
  );
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
    // Another part behind the # alone would open no page anew.
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
