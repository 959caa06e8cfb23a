import { createFileRoute } from "@tanstack/react-router";
import { ChoosePassword } from "@/features/sign-in/ChoosePassword";
import { useCodeOfLink } from "./useView";

export const Route = createFileRoute("/password")({ component: () => <ChoosePassword {...useCodeOfLink()} /> });
