import { createFileRoute, useRouter } from "@tanstack/react-router";
import { Enter } from "@/features/sign-in/Enter";
import { useAddressCode } from "./useView";

export const Route = createFileRoute("/enter")({
  component: EnterScreen,
});

function EnterScreen() {
  const router = useRouter();
  const code = useAddressCode();
  return <Enter code={code} onDone={() => void router.navigate({ to: "/", replace: true })} />;
}
