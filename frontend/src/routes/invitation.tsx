import { createFileRoute, useRouter } from "@tanstack/react-router";
import { Invitation } from "@/features/sign-in/Invitation";
import { useAddressCode } from "./useView";

export const Route = createFileRoute("/invitation")({
  component: InvitationScreen,
});

function InvitationScreen() {
  const router = useRouter();
  const code = useAddressCode();
  return <Invitation code={code} onDone={() => void router.navigate({ to: "/", replace: true })} />;
}
