// Puts the pages together, and leads those whom the API does not know to where they can sign in.
import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { createRouter } from "@tanstack/react-router";
import { isSignedOut, isTransient } from "@/api/problem";
import { WITHOUT_ACCOUNT } from "@/features/shell/pages";
import { agentsRoute, campaignRoute, campaignsRoute } from "./campaigns";
import { compareRoute } from "./compare";
import { driveRoute } from "./drive";
import { drivesRoute } from "./drives";
import { enterRoute } from "./enter";
import { forgotRoute } from "./forgot";
import { formatsRoute } from "./formats";
import { glossaryRoute } from "./glossary";
import { homeRoute } from "./home";
import { invitationRoute } from "./invitation";
import { mailRoute } from "./mail";
import { operationsRoute } from "./operations";
import { passwordRoute } from "./password";
import { pricesRoute } from "./prices";
import { publicationRoute } from "./publication";
import { publicationsRoute } from "./publications";
import { qualificationRoute, qualificationsRoute } from "./qualification";
import { PageError, rootRoute } from "./root";
import { runRoute } from "./run";
import { runsRoute } from "./runs";
import { settingsRoute } from "./settings";
import { signInRoute } from "./signIn";
import { signInReturnRoute } from "./signInReturn";
import { signUpRoute } from "./signUp";
import { slaRoute } from "./sla";
import { uploadRoute } from "./upload";
import { watchRoute } from "./watch";

const MOST_RETRIES = 2;

const onError = (error: Error): void => {
  if (!isSignedOut(error) || WITHOUT_ACCOUNT.includes(router.state.location.pathname)) return;
  void router.navigate({ to: "/sign-in", search: { from: router.state.location.href }, replace: true });
};

export const queries = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      retry: (failures, error) => failures < MOST_RETRIES && isTransient(error),
      retryDelay: (failures) => 500 * 2 ** failures,
      staleTime: 2_000,
    },
  },
});

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    homeRoute,
    drivesRoute,
    driveRoute,
    publicationsRoute,
    publicationRoute,
    runsRoute,
    runRoute,
    qualificationsRoute,
    qualificationRoute,
    compareRoute,
    slaRoute,
    uploadRoute,
    formatsRoute,
    pricesRoute,
    campaignsRoute,
    campaignRoute,
    agentsRoute,
    glossaryRoute,
    watchRoute,
    signInRoute,
    signInReturnRoute,
    enterRoute,
    signUpRoute,
    forgotRoute,
    passwordRoute,
    mailRoute,
    operationsRoute,
    invitationRoute,
    settingsRoute,
  ]),
  context: { queries },
  defaultErrorComponent: PageError,
  defaultPreload: false,
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
