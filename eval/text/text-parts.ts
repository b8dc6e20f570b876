/** The parts of `eval text`. */
export const TEXT_PARTS = ['script'] as const;
export type TextPart = (typeof TEXT_PARTS)[number];
