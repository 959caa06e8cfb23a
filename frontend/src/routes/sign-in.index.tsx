import { createFileRoute, useRouter } from "@tanstack/react-router";
import { signInSearch } from "@/features/sign-in/address";
import { SignIn } from "@/features/sign-in/SignIn";
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
