import { createFileRoute } from "@tanstack/react-router";
import { WatchPage } from "@/features/watch/WatchPage";

export const Route = createFileRoute("/watch")({ component: WatchPage });
