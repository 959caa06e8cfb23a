/** Margins around the plot area in pixels. The readout uses them to find the value under the pointer. */
export const FRAME = { left: 72, right: 14, top: 20, bottom: 40 } as const;
