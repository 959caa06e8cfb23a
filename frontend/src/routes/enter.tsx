import { createFileRoute, useRouter } from "@tanstack/react-router";
import { OwnerSignIn } from "@/features/sign-in/OwnerSignIn";
import { useAddressCode } from "./useView";

export const Route = createFileRoute("/enter")({
  component: EnterScreen,
});

function EnterScreen() {
  const router = useRouter();
  const code = useAddressCode();
  return <OwnerSignIn code={code} onDone={() => void router.navigate({ to: "/", replace: true })} />;
}
