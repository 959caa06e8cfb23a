import { createRoute, useRouter } from "@tanstack/react-router";
import { SignIn } from "@/features/sign-in/SignIn";
import { rootRoute } from "./root";
import { signInSearch } from "./search";

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/sign-in",
  validateSearch: signInSearch,
  component: SignInPage,
});

function SignInPage() {
  const { from } = signInRoute.useSearch();
  const router = useRouter();
  return <SignIn onDone={() => router.history.push(from ?? "/")} />;
}
