/** The parts of `eval text`. */
export const TEXT_PARTS = ['script', 'pdf', 'hong-kong', 'readings', 'language'] as const;
export type TextPart = (typeof TEXT_PARTS)[number];
