import { createFileRoute, useRouter } from "@tanstack/react-router";
import { SignIn } from "@/features/sign-in/SignIn";
import { signInSearch } from "./search/runs";
import { useView } from "./useView";

export const Route = createFileRoute("/sign-in/")({
  validateSearch: signInSearch,
  component: SignInScreen,
});

function SignInScreen() {
  const { from } = useView(Route.useSearch(), signInSearch);
  const router = useRouter();
  return <SignIn from={from ?? "/"} onDone={() => router.history.push(from ?? "/")} />;
}
