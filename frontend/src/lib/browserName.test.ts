import { describe, expect, it } from "vitest";
import { browserName } from "@/features/settings/Sessions";

describe("the name of a browser", () => {
  it.each([
    ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Linux"],
    [
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0 Safari/537.36 Edg/150.0",
      "Edge on Windows",
    ],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1 Version/18.0 Mobile Safari/604.1",
      "Safari on iOS",
    ],
    ["python-httpx/0.28", "python-httpx"],
    ["", "unknown"],
  ])("%s", (agent, name) => expect(browserName(agent)).toBe(name));
});
