/** The parts of `eval text` that measure this code. */
export const MEASURED_TEXT_PARTS = ['script', 'pdf', 'hong-kong', 'readings', 'language'] as const;
/** With the part that compares it with another commit. */
export const TEXT_PARTS = [...MEASURED_TEXT_PARTS, 'changes'] as const;
export type TextPart = (typeof TEXT_PARTS)[number];
