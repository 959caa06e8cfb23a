// What Mantine is told about how the product looks. Colours that carry meaning are in palette.css.
import { createTheme, type MantineColorsTuple } from "@mantine/core";

/** Around Okabe and Ito's blue, the one accent. Step 7 has 5.9:1 on white. */
const accent: MantineColorsTuple = [
  "#e6f3fa",
  "#cbe5f3",
  "#9fcde8",
  "#70b4dc",
  "#4b9fd1",
  "#2b8cc6",
  "#0f7cba",
  "#0067a3",
  "#005487",
  "#00406a",
];

/** Mantine's dark greys, a little bluer, so that they sit with the palette's grounds. */
const dark: MantineColorsTuple = [
  "#e5e8eb",
  "#c3cad1",
  "#a0a9b3",
  "#7b8590",
  "#4b545d",
  "#343b43",
  "#252a30",
  "#1a1e22",
  "#15181b",
  "#121518",
];

export const theme = createTheme({
  primaryColor: "accent",
  primaryShade: { light: 7, dark: 8 },
  colors: { accent, dark },
  fontFamily: "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', 'Noto Sans', Arial, sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SF Mono', 'Cascadia Mono', 'DejaVu Sans Mono', Menlo, Consolas, monospace",
  defaultRadius: "sm",
  cursorType: "pointer",
  respectReducedMotion: true,
  focusRing: "auto",
  headings: { fontWeight: "600" },
  components: {
    Tooltip: { defaultProps: { withArrow: true, openDelay: 300, events: { hover: true, focus: true, touch: false } } },
  },
});
