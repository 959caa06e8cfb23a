import { createFileRoute, useRouter } from "@tanstack/react-router";
import { ChoosePassword } from "@/features/sign-in/ChoosePassword";
import { useAddressCode } from "./useView";

export const Route = createFileRoute("/password")({
  component: PasswordScreen,
});

function PasswordScreen() {
  const router = useRouter();
  const code = useAddressCode();
  return <ChoosePassword code={code} onDone={() => void router.navigate({ to: "/", replace: true })} />;
}
