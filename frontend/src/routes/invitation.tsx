import { createFileRoute } from "@tanstack/react-router";
import { Invitation } from "@/features/sign-in/Invitation";
import { useCodeOfLink } from "./useView";

export const Route = createFileRoute("/invitation")({ component: () => <Invitation {...useCodeOfLink()} /> });
