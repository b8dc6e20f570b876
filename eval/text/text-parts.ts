/** The parts of `eval text`. */
export const TEXT_PARTS = ['script', 'pdf'] as const;
export type TextPart = (typeof TEXT_PARTS)[number];
