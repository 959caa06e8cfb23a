import { createFileRoute, useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { Return } from "@/features/sign-in/Return";

export const Route = createFileRoute("/sign-in/return")({
  component: SignInReturnScreen,
});

function SignInReturnScreen() {
  const router = useRouter();
  // As the provider wrote it: the router would read digits as numbers.
  const [sent] = useState(() => new URLSearchParams(window.location.search));
  return <Return sent={sent} onDone={(from) => router.history.replace(from)} />;
}
