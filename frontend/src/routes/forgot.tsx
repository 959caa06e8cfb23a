import { createFileRoute } from "@tanstack/react-router";
import { PasswordReset } from "@/features/sign-in/EmailForm";

export const Route = createFileRoute("/forgot")({ component: PasswordReset });
