import { getRouteApi, useRouter } from "@tanstack/react-router";
import { SignIn } from "@/features/sign-in/SignIn";
import { signInSearch } from "./search/runs";
import { useView } from "./useView";

const route = getRouteApi("/sign-in");

export function SignInScreen() {
  const { from } = useView(route.useSearch(), signInSearch);
  const router = useRouter();
  return <SignIn from={from ?? "/"} onDone={() => router.history.push(from ?? "/")} />;
}
