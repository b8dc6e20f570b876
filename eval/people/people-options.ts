import type { EngineLocation } from '../tasks.ts';

/** How much is measured; sets that are larger are sampled evenly, so always the same recordings. */
type Sizes = {
  /** Recordings of a set, unless named below. */
  recordings: number;
  /** Recordings of English learners. */
  learners: number;
  /** Whether short ones of a learner are joined to clips: in a small sample, most have one only. */
  joinsLearners: boolean;
  /** Recordings that are held against all their minimal pairs. */
  pairs: number;
  /** Joined recordings of each Mandarin voice. */
  joined: number;
  /** Conversations of each number of speakers. */
  conversations: number;
  speakerCounts: readonly number[];
};

export const FULL: Sizes = {
  recordings: Infinity,
  learners: Infinity,
  joinsLearners: true,
  pairs: Infinity,
  joined: 80,
  conversations: 20,
  speakerCounts: [2, 3, 4],
};
export const QUICK: Sizes = {
  recordings: 4,
  learners: 4,
  joinsLearners: false,
  pairs: 4,
  joined: 2,
  conversations: 1,
  speakerCounts: [2],
};

/** The places of recordings and engines, and how much is measured. */
export type PeopleOptions = { folders: readonly string[]; sizes: Sizes; place: EngineLocation };
