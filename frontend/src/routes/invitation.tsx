import { createFileRoute, useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { Invitation } from "@/features/sign-in/Invitation";

export const Route = createFileRoute("/invitation")({
  component: InvitationScreen,
});

function InvitationScreen() {
  const router = useRouter();
  // The part of the address that no request carries; as it was when the page opened.
  const [code] = useState(() => window.location.hash.slice(1));
  return <Invitation code={code} onDone={() => void router.navigate({ to: "/", replace: true })} />;
}
