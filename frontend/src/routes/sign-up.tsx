import { createFileRoute } from "@tanstack/react-router";
import { SignUp } from "@/features/sign-in/EmailForm";

export const Route = createFileRoute("/sign-up")({ component: SignUp });
