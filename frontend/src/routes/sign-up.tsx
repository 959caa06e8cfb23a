import { createFileRoute } from "@tanstack/react-router";
import { SignUp } from "@/features/sign-in/AskMail";

export const Route = createFileRoute("/sign-up")({ component: SignUp });
