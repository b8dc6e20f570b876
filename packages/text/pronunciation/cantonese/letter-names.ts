/**
 * Names of Latin letters with one Cantonese syllable (T恤 ti1 seot1). The others (F, H, L, R, S, W,
 * X, Z) have one or two syllables depending on the speaker, so they are words of another language.
 */
const NAMES =
  'A ei1, B bi1, C si1, D di1, E ji1, G zi1, I aai1, J zei1, K kei1, M em1, N en1, O ou1, P pi1, Q kiu1, T ti1, U ju1, V wi1, Y waai1';

export const LETTER_NAMES: ReadonlyMap<string, string> = new Map(
  NAMES.split(', ').map((entry): [string, string] => {
    const [letter = '', syllable = ''] = entry.split(' ');
    return [letter, syllable];
  }),
);
