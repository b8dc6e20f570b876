import { createRandom } from '#packages/numeric/random.ts';

const SUBJECTS = [
  'the harbour master',
  'our night crew',
  'a retired engineer',
  'the school on the hill',
  'every second household',
  'the ferry company',
  'a team of six biologists',
  'the women of the market',
  'an old lighthouse keeper',
  'the new council',
  'my colleague from the archive',
  'the youngest apprentice',
];
const VERBS = [
  'measured',
  'repaired',
  'wrote down',
  'questioned',
  'paid for',
  'rebuilt',
  'almost lost',
  'kept',
  'moved',
  'painted',
  'counted',
  'gave away',
];
const OBJECTS = [
  'the stone steps of the eastern quay',
  'more than three hundred wooden boats',
  'the tide tables of the last forty years',
  'a pump that nobody had used since the war',
  'the whole collection of sea maps',
  'two kilometres of broken railing',
  'the bell that warns of fog',
  'seventeen boxes of letters',
  'the oyster beds below the bridge',
  'a small museum with one room',
];
const REASONS = [
  'because the winter storms came a month early',
  'although there was no money left in the fund',
  'after the bridge had been closed for repairs',
  'while the rest of the town was asleep',
  'so that the children could cross safely',
  'since nobody else remembered how it was done',
  'before the insurance company could object',
  'in spite of a very clear letter from the ministry',
];
const OPENINGS = [
  'As you can see,',
  'In those days',
  'Later that year',
  'To everybody’s surprise,',
  'Of course',
  'I am told that',
];

/** The first sentence of each chapter, which a summary should keep. */
const KEY_SENTENCES = [
  'The most important lesson of this chapter is that a harbour lives as long as its records are kept.',
  'The key result of the survey was that nine out of ten repairs could have been avoided by yearly inspection.',
  'The central decision was to let the fishermen themselves manage the oyster beds.',
  'The main reason for the great flood was a gate that had been left open for a wedding.',
  'The most expensive mistake was to replace the wooden piles with cheap concrete.',
  'The turning point came when the ferry company opened its books to the public.',
];

const SEED = 20_261_121;
const WORDS = 30_000;
const SENTENCES_PER_CHAPTER = 40;
let made: readonly string[] | null = null;

/** A talk of three hours with at least 30,000 words; the same at every call. */
export function longTalk(): readonly string[] {
  made ??= make();
  return made;
}

function make(): readonly string[] {
  const random = createRandom(SEED);
  const pick = (choices: readonly string[]) => choices[Math.floor(random() * choices.length)] ?? '';
  const sentences: string[] = [];
  let words = 0;
  while (words < WORDS) {
    const chapter = Math.floor(sentences.length / SENTENCES_PER_CHAPTER);
    const isFirst = sentences.length % SENTENCES_PER_CHAPTER === 0;
    const key = KEY_SENTENCES[chapter % KEY_SENTENCES.length] ?? '';
    const year = 1_900 + Math.floor(random() * 120);
    const plain = `${pick(OPENINGS)} ${pick(SUBJECTS)} ${pick(VERBS)} ${pick(OBJECTS)} in ${year}, ${pick(REASONS)}.`;
    const sentence = isFirst ? `Chapter ${chapter + 1}. ${key}` : plain;
    sentences.push(sentence);
    words += sentence.split(' ').length;
  }
  return sentences;
}
