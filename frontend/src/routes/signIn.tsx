import { createRoute, useRouter } from "@tanstack/react-router";
import { SignIn } from "@/features/sign-in/SignIn";
import { compact, type RawSearch, text } from "@/lib/search";
import { rootRoute } from "./root";

/** Only a path of this site: an address from elsewhere in the link must not lead there after signing in. */
export function signInSearch(raw: RawSearch): { from?: string } {
  const from = text(raw["from"], 500);
  return compact({ from: from !== undefined && /^\/(?![/\\])/.test(from) ? from : undefined });
}

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
