import { expect, it } from "vitest";
import { isId } from "./ids";

it("knows what can be an id", () => {
  expect(isId("019b76da-a800-7d41-9c3e-5f0a1b2c3d4e")).toBe(true);
  expect(isId("019B76DA-A800-7D41-9C3E-5F0A1B2C3D4E")).toBe(true);
  for (const text of ["", "nonsense", "019b76da-a800-7d41-9c3e", "019b76daa8007d419c3e5f0a1b2c3d4e", "../settings"])
    expect(isId(text)).toBe(false);
});
