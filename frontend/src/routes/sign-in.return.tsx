import { createFileRoute, useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { Return } from "@/features/sign-in/ProviderReturn";

export const Route = createFileRoute("/sign-in/return")({
  component: SignInReturnScreen,
});

function SignInReturnScreen() {
  const router = useRouter();
  // The search string is parsed here, because the router would convert digits to numbers.
  const [sent] = useState(() => new URLSearchParams(window.location.search));
  return <Return sent={sent} onDone={(from) => router.history.replace(from)} />;
}
