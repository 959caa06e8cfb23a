import { getRouteApi, useRouter } from "@tanstack/react-router";
import { SignIn } from "@/features/sign-in/SignIn";

const route = getRouteApi("/sign-in");

export function SignInScreen() {
  const { from } = route.useSearch();
  const router = useRouter();
  return <SignIn from={from ?? "/"} onDone={() => router.history.push(from ?? "/")} />;
}
