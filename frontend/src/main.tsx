// Mounts the React application.
import "@/ui/mantine.css";
import "@fontsource-variable/inter/wght.css";
import "@/ui/font.css";
import "@/ui/tokens.css";
import "@/ui/global.css";
import "@/ui/layout.css";
import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { queries, router } from "@/router";
import { theme } from "@/ui/theme";

const place = document.getElementById("root");
if (place === null) throw new Error("index.html has no element with the id root");

createRoot(place).render(
  <StrictMode>
    <MantineProvider theme={theme} defaultColorScheme="auto">
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
