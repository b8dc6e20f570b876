/** Figures of voices that need programs of others. */
export const TTS_PARTS = ['english', 'naturalness'] as const;

export type TtsPart = (typeof TTS_PARTS)[number];
