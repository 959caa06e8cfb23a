// Icons on a 16-pixel grid. They are decorative: the text beside them or the button's label gives the meaning.
import type { ReactNode } from "react";

type IconProps = { size?: number; color?: string };

const icon = (name: string, drawing: ReactNode) => {
  const Icon = ({ size = 16, color }: IconProps) => (
    <svg
      color={color}
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {drawing}
    </svg>
  );
  Icon.displayName = name;
  return Icon;
};

export const IconCheck = icon("IconCheck", <path d="M2.5 8.5 6.5 12.5 13.5 4" strokeWidth="2.2" />);
export const IconCross = icon("IconCross", <path d="m3.5 3.5 9 9m0-9-9 9" strokeWidth="2.2" />);
export const IconQuestion = icon(
  "IconQuestion",
  <path d="M5 5.6C5 3.9 6.3 2.7 8 2.7s3 1.1 3 2.7c0 2.2-3 2.3-3 4.6M8 13.2v.1" strokeWidth="2.2" />,
);
export const IconTable = icon("IconTable", <path d="M2 3h12v10H2zM2 6.5h12M2 9.8h12M6.5 6.5V13" />);
export const IconDownload = icon("IconDownload", <path d="M8 2v8m-3.2-3L8 10.2 11.2 7M2.5 13.5h11" />);
export const IconLink = icon(
  "IconLink",
  <path d="m6.7 9.3 2.6-2.6M7 4.6 8.8 2.8a3.1 3.1 0 0 1 4.4 4.4L11.4 9M9 11.4l-1.8 1.8a3.1 3.1 0 0 1-4.4-4.4L4.6 7" />,
);
export const IconStop = icon("IconStop", <rect x="3.5" y="3.5" width="9" height="9" rx="1" fill="currentColor" />);
export const IconSearch = icon(
  "IconSearch",
  <path d="M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9Zm3.3 7.8L13.5 13.5" />,
);
export const IconSun = icon(
  "IconSun",
  <path d="M8 5.2a2.8 2.8 0 1 1 0 5.6 2.8 2.8 0 0 1 0-5.6ZM8 1.5v1M8 13.5v1M1.5 8h1M13.5 8h1M3.4 3.4l.7.7M11.9 11.9l.7.7M3.4 12.6l.7-.7M11.9 4.1l.7-.7" />,
);
export const IconMoon = icon("IconMoon", <path d="M13.5 9.8A6 6 0 0 1 6.2 2.5a6 6 0 1 0 7.3 7.3Z" />);
export const IconAuto = icon("IconAuto", <path d="M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2Zm0 0v12" />);
export const IconWarning = icon("IconWarning", <path d="M8 2 14.5 13.5h-13L8 2Zm0 4.5v3.2m0 1.9v.1" />);
export const IconSort = icon("IconSort", <path d="M5 6.5 8 3.5l3 3M5 9.5l3 3 3-3" />);
export const IconUp = icon("IconUp", <path d="m4 9.5 4-4 4 4" />);
export const IconDown = icon("IconDown", <path d="m4 6.5 4 4 4-4" />);
export const IconCopy = icon("IconCopy", <path d="M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3" />);
export const IconDot = icon("IconDot", <circle cx="8" cy="8" r="1.6" fill="currentColor" stroke="none" />);
export const IconLock = icon("IconLock", <path d="M3.5 7.5h9v6h-9zM5.5 7.5V5a2.5 2.5 0 0 1 5 0v2.5" />);
export const IconFilter = icon("IconFilter", <path d="M2 3.5h12M4.5 8h7M6.5 12.5h3" />);
export const IconColumns = icon("IconColumns", <path d="M2.5 3h11v10h-11zM6.2 3v10M9.8 3v10" />);
export const IconUpload = icon("IconUpload", <path d="M8 10.5V2.5m-3.2 3L8 2.3l3.2 3.2M2.5 9.5v4h11v-4" />);
export const IconFile = icon("IconFile", <path d="M3.5 2h6l3 3v9h-9zM9.5 2v3h3" />);
export const IconGlobe = icon(
  "IconGlobe",
  <path d="M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2ZM2 8h12M8 2c-4 4-4 8 0 12M8 2c4 4 4 8 0 12" />,
);
export const IconInfo = icon("IconInfo", <path d="M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2Zm0 5.2v3.6M8 5v.1" />);
export const IconPerson = icon(
  "IconPerson",
  <path d="M8 8a2.8 2.8 0 1 0 0-5.6A2.8 2.8 0 0 0 8 8ZM2.8 14c.4-2.6 2.5-4 5.2-4s4.8 1.4 5.2 4" />,
);

const STAR = "M8 2l1.8 3.9 4.2.5-3.1 2.9.8 4.2L8 11.4l-3.7 2.1.8-4.2L2 6.4l4.2-.5Z";
const IconStarOpen = icon("IconStarOpen", <path d={STAR} />);
const IconStarFull = icon("IconStarFull", <path d={STAR} fill="currentColor" />);

/** Renders a star, filled if the item is saved. */
export const IconStar = ({ size = 16, filled = false }: IconProps & { filled?: boolean }) =>
  filled ? <IconStarFull size={size} /> : <IconStarOpen size={size} />;
