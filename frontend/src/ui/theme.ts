// Mantine theme of the product. Colours with a meaning are in tokens.css.
import { createTheme, type MantineColorsTuple } from "@mantine/core";

/** Shades around the accent colour of tokens.css, which is step 7. */
const accent: MantineColorsTuple = [
  "#e4effa",
  "#c9dff4",
  "#9dc6eb",
  "#6ea9de",
  "#468dd0",
  "#2674c2",
  "#1567bd",
  "#0b5cad",
  "#084a8d",
  "#06396d",
];

/** Mantine's dark greys, replaced by the grounds and lines of tokens.css. */
const dark: MantineColorsTuple = [
  "#eef1f4",
  "#b3bdc7",
  "#929da9",
  "#7b8590",
  "#4b5662",
  "#343d47",
  "#222932",
  "#0d1014",
  "#151a20",
  "#0b0e11",
];

/** Red of destructive actions: readable as text on panels and under white text, in both schemes. */
const red: MantineColorsTuple = [
  "#fdecea",
  "#f9d0cb",
  "#f3aaa2",
  "#ec8479",
  "#ff9a8d",
  "#d9483b",
  "#c9382b",
  "#b42318",
  "#a01d13",
  "#7a150d",
];

export const theme = createTheme({
  primaryColor: "accent",
  primaryShade: { light: 7, dark: 8 },
  colors: { accent, dark, red },
  fontFamily: "'Inter Variable', Inter, system-ui, -apple-system, 'Segoe UI', sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace",
  fontSizes: { xs: "0.875rem", sm: "0.875rem", md: "1rem" },
  defaultRadius: 8,
  cursorType: "pointer",
  respectReducedMotion: true,
  focusRing: "auto",
  headings: { fontWeight: "600" },
  components: {
    ActionIcon: { defaultProps: { variant: "subtle", color: "gray" } },
    Button: { defaultProps: { variant: "default" } },
    // Most forms have required fields alone; a form that also has others marks those that are required.
    PasswordInput: { defaultProps: { withAsterisk: false } },
    Select: { defaultProps: { allowDeselect: false } },
    TextInput: { defaultProps: { withAsterisk: false } },
    Tooltip: { defaultProps: { withArrow: true, openDelay: 300, events: { hover: true, focus: true, touch: false } } },
  },
});
