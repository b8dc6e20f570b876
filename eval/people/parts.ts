/** Abilities that `eval people` measures, in the order of the report; scoring runs last. */
export const PEOPLE_PARTS = ['language', 'recognition', 'speakers', 'scoring'] as const;
export type PeoplePart = (typeof PEOPLE_PARTS)[number];
