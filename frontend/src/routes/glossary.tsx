import { createFileRoute } from "@tanstack/react-router";
import { GlossaryPage } from "@/features/glossary/GlossaryPage";

export const Route = createFileRoute("/glossary")({ component: GlossaryPage });
