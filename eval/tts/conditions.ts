import * as change from './manipulate.ts';

/**
 * Controls: what is done to clips of people and machines alike. A judge whose score follows it
 * judges the room, the telephone or the tempo.
 */
export const CONDITIONS = [
  ...(['clean', 'in a room', 'with noise', 'equalized', 'coded', 'by telephone'] as const),
  ...(['a quarter faster', 'a fifth slower'] as const),
] as const;
export type Condition = (typeof CONDITIONS)[number];

type Random = () => number;

/**
 * A clip under a condition, with its peak at full scale. Rooms are larger than those that the
 * judges learnt, the codec coarser, and telephones are of a kind that they have not met.
 */
export async function under(condition: Condition, clip: Float32Array, random: Random): Promise<Float32Array> {
  const sound = change.withPeak(clip, 0.9);
  switch (condition) {
    case 'clean':
      return sound;
    case 'in a room': {
      const room = { seconds: 0.4 + 0.4 * random(), wetDb: -6 + 4 * random(), reflectionsPerSecond: 1_500 };
      return change.withPeak(change.reverberate(sound, room, random), 0.9);
    }
    case 'with noise':
      return change.addNoiseAt(sound, 15 + 5 * random(), 4, random);
    case 'equalized':
      return change.withPeak(change.equalize(sound, change.randomGains(12, random)), 0.9);
    case 'coded':
      return change.throughOpus(sound, 12_000);
    case 'by telephone':
      return change.throughTelephone(sound);
    case 'a quarter faster':
      return change.changeTempo(sound, 1.25);
    case 'a fifth slower':
      return change.changeTempo(sound, 0.8);
  }
}
