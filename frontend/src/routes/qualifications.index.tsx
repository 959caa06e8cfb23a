import { createFileRoute } from "@tanstack/react-router";
import { QualificationsPage } from "@/features/qualification/QualificationsPage";

export const Route = createFileRoute("/qualifications/")({ component: QualificationsPage });
