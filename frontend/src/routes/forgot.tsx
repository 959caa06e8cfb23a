import { createFileRoute } from "@tanstack/react-router";
import { Forgot } from "@/features/sign-in/AskMail";

export const Route = createFileRoute("/forgot")({ component: Forgot });
