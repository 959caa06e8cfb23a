import { createFileRoute, useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { ChoosePassword } from "@/features/sign-in/ChoosePassword";

export const Route = createFileRoute("/password")({
  component: PasswordScreen,
});

function PasswordScreen() {
  const router = useRouter();
  // The part of the address that no request carries; as it was when the page opened.
  const [code] = useState(() => window.location.hash.slice(1));
  return <ChoosePassword code={code} onDone={() => void router.navigate({ to: "/", replace: true })} />;
}
