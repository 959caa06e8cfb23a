import { createFileRoute, useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { Enter } from "@/features/sign-in/Enter";

export const Route = createFileRoute("/enter")({
  component: EnterScreen,
});

function EnterScreen() {
  const router = useRouter();
  // The part of the address that no request carries; as it was when the page opened.
  const [code] = useState(() => window.location.hash.slice(1));
  return <Enter code={code} onDone={() => void router.navigate({ to: "/", replace: true })} />;
}
