/** Room around the drawing, in pixels; the readout uses the same numbers to find a value under the pointer. */
export const FRAME = { left: 66, right: 14, top: 20, bottom: 40 } as const;
