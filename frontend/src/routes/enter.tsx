import { createFileRoute } from "@tanstack/react-router";
import { OwnerSignIn } from "@/features/sign-in/OwnerSignIn";
import { useCodeOfLink } from "./useView";

export const Route = createFileRoute("/enter")({ component: () => <OwnerSignIn {...useCodeOfLink()} /> });
