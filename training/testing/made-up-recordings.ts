import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { encodeWav } from '@jyutsing/audio/wav';
import { openPronouncer } from '@jyutsing/text/pronunciation/english/pronounce-word';
import { createRandom } from '#packages/numeric/random.ts';
import { resample, speak, toJyutping } from '#testbed/sound/espeak-speech.ts';
import { firstNumber, isTestLearner } from '../../eval/pronunciation/held-out.ts';

const RATE_HZ = 16_000;
const CANTONESE_ONSETS = ['', 'b', 'd', 'g', 'm', 'n', 'l', 'h', 's', 'z', 'c', 'f', 'j', 'w', 'p', 't', 'k'];
const CANTONESE_RIMES = ['aa', 'ou', 'ei'];
const CHARACTERS = [...'詩史試時市事馬美好大人有我你佢水火山風天'];
/** Single syllables of a tone, enough to tell the speaker's register from. */
const ALONE = 45;
/** Conversations have up to so many speakers, those of held-out ones too. */
const MOST_SPEAKERS = 4;
export const ENGLISH_WORDS = 'we like big red cars and old houses near the green park with many tall trees'.split(' ');

/** The size of each part of the layout: a training that reads one part needs no other. */
type Amounts = {
  /** Onsets of the syllables of the Cantonese speaker, each in three rimes and six tones. */
  onsets?: number;
  /** Mandarin words of two syllables. */
  words?: number;
  /** English readers; the first six are trained on, the others held out. */
  readers?: number;
};

/**
 * Writes a small folder in the layout of the recordings that everything in `training/` learns from
 * (tables, sounds, texts), with espeak-ng as all of the people: to try the commands out, not to
 * learn anything.
 */
export async function writeMadeUpRecordings(
  folder: string,
  { onsets = 17, words = 100, readers = 10 }: Amounts = {},
): Promise<void> {
  const write = createWriter(folder);
  await writeCantonese(write, CANTONESE_ONSETS.slice(0, onsets));
  await writeMandarin(write, words);
  await writeEnglish(write, folder, readers);
  await writeTexts(folder);
}

type Cells = Readonly<Record<string, string>>;
type Spoken = { name: string; say: string; voice?: string; rate?: number; pitch?: number; cells: Cells };
type WriteTable = (table: string, spoken: readonly Spoken[]) => Promise<void>;

/** Writes a table with its sounds, 16 bit and 16 kHz, `file` being its first column. */
function createWriter(folder: string): WriteTable {
  return async (table, spoken) => {
    await mkdir(join(folder, table), { recursive: true });
    const columns = Object.keys(spoken[0]?.cells ?? {});
    const lines = [['file', ...columns].join('\t')];
    for (const { name, say, cells, ...voice } of spoken) {
      const { channels, sampleRateHz } = await speak(say, voice);
      const file = `${table}/${name}.wav`;
      await writeFile(join(folder, file), encodeWav(resample(channels[0]!, sampleRateHz, RATE_HZ), RATE_HZ));
      lines.push([file, ...columns.map((column) => cells[column]!)].join('\t'));
    }
    await writeFile(join(folder, `${table}.tsv`), `${lines.join('\n')}\n`);
  };
}

/** Texts that are never trained on (`is_held_out` of texts.py). */
const isHeldOut = (text: string): boolean => firstNumber(text.replaceAll(' ', '')) % 50 === 0;

async function writeCantonese(write: WriteTable, onsets: readonly string[]): Promise<void> {
  const syllables = onsets.flatMap((onset) =>
    CANTONESE_RIMES.flatMap((rime) => [1, 2, 3, 4, 5, 6].map((tone) => `${onset}${rime}${tone}`)),
  );
  await write(
    'yue-syllables-kt',
    syllables.map((jyutping) => ({ name: jyutping, say: jyutping, cells: { jyutping, speaker: 'kt' } })),
  );
  await write(
    'yue-syllables-other',
    syllables
      .filter((_, index) => index % 40 === 0)
      .map((jyutping) => ({
        name: jyutping,
        say: jyutping,
        voice: 'yue-latn-jyutping+f2',
        cells: { jyutping },
      })),
  );
  await write(
    'yue-sentences-dev',
    ['今日天氣好好', '我哋去公園行下'].map((text, index) => ({
      name: `sentence-${index}`,
      say: toJyutping(text),
      cells: { set: 'made up', text, jyutping: toJyutping(text), language: 'cantonese' },
    })),
  );
}

/** `yt` says words of two syllables, and single ones; `cw` syllables. */
async function writeMandarin(write: WriteTable, words: number): Promise<void> {
  const syllables: [character: string, pinyin: string][] = [
    ['妈', 'ma1'], ['麻', 'ma2'], ['马', 'ma3'], ['骂', 'ma4'], ['八', 'ba1'], ['拔', 'ba2'], ['把', 'ba3'],
    ['爸', 'ba4'], ['低', 'di1'], ['敌', 'di2'], ['底', 'di3'], ['地', 'di4'], ['搭', 'da1'], ['打', 'da3'],
    ['大', 'da4'], ['鸡', 'ji1'], ['急', 'ji2'], ['寄', 'ji4'], ['书', 'shu1'], ['树', 'shu4'],
  ]; // prettier-ignore
  const random = createRandom(3);
  const drawn = () => syllables[Math.floor(random() * syllables.length)]!;
  const chosen = new Map<string, string>();
  while (chosen.size < words || ![...chosen.keys()].some(isHeldOut)) {
    const [first, second] = [drawn(), drawn()];
    // Two third tones in a row would be said otherwise.
    if (!first[1].endsWith('3')) chosen.set(first[0] + second[0], `${first[1]} ${second[1]}`);
  }
  const voice = 'cmn-latn-pinyin';
  const high = syllables.filter(([, pinyin]) => pinyin.endsWith('1'));
  const alone = Array.from({ length: ALONE }, (_, index) => high[index % high.length]!);
  await write('cmn-words', [
    ...[...chosen, ...alone].map(([text, pinyin], index) => ({
      name: `yt-${index}`,
      say: pinyin,
      voice: `${voice}+f3`,
      pitch: 45 + (index % 10),
      cells: { text, pinyin: '', speaker: 'yt' },
    })),
    ...syllables.map(([text, pinyin], index) => ({
      name: `cw-${index}`,
      say: pinyin,
      voice: `${voice}+f5`,
      cells: { text, pinyin, speaker: 'cw' },
    })),
  ]);
}

/**
 * Learners of three groups and readers: some are held out of the speaker models (one in seven, see
 * `people.py`), some learners of the acoustic models. Ratings follow the rate.
 */
async function writeEnglish(write: WriteTable, folder: string, mostReaders: number): Promise<void> {
  const { pronounce } = await openPronouncer();
  const random = createRandom(4);
  const sentence = () =>
    Array.from({ length: 4 }, () => ENGLISH_WORDS[Math.floor(random() * ENGLISH_WORDS.length)]!).join(' ');
  const names = Array.from({ length: 200 }, (_, index) => String(index).padStart(4, '0'));
  const choose = (table: string, isWanted: (speaker: string, heldOut: boolean) => boolean, count: number) =>
    names.filter((speaker) => isWanted(speaker, firstNumber(`${table}/${speaker}`) % 7 === 0)).slice(0, count);
  const learners = [
    ...choose('eng-learners-train', (speaker, heldOut) => !heldOut && !isTestLearner(speaker), 6),
    ...choose('eng-learners-train', (speaker, heldOut) => !heldOut && isTestLearner(speaker), 2),
    ...choose('eng-learners-train', (_, heldOut) => heldOut, MOST_SPEAKERS),
  ];
  const readers = [
    ...choose('eng-speakers', (_, heldOut) => !heldOut, 6),
    ...choose('eng-speakers', (_, heldOut) => heldOut, MOST_SPEAKERS),
  ].slice(0, mostReaders);
  const texts = Array.from({ length: 4 * learners.length - 1 }, sentence);
  let heldOutText = sentence();
  while (!isHeldOut(heldOutText)) heldOutText = sentence();
  texts.push(heldOutText);
  const judged: string[] = [];
  const spoken = texts.map((text, index): Spoken => {
    const place = index % learners.length;
    const quality = (index % 7) / 6;
    const score = (4 + 6 * quality).toFixed(1);
    const name = `${learners[place]}${String(index).padStart(5, '0')}`;
    const words = text.split(' ').map((word) => {
      const phones = (pronounce(word)[0] ?? []).map((phone) => phone.replaceAll(/\d/g, '')).join(' ');
      return { text: word, accuracy: Number(score), phones: Array.from({ length: 5 }, () => phones) };
    });
    judged.push(JSON.stringify({ utt: name, words }));
    const group = [
      { age: '30', gender: 'm' },
      { age: '30', gender: 'f' },
      { age: '8', gender: 'f' },
    ][place % 3]!;
    return {
      name,
      say: text,
      voice: `en-us+${['m3', 'f2', 'f4'][place % 3]}`,
      rate: Math.round(110 + 70 * quality),
      cells: {
        text: text.toUpperCase(),
        speaker: learners[place]!,
        ...group,
        accuracy: score,
        fluency: score,
        prosodic: score,
        completeness: '1',
        total: score,
      },
    };
  });
  await write('eng-learners-train', spoken);
  await writeFile(join(folder, 'eng-learners-train.words.jsonl'), `${judged.join('\n')}\n`);
  await write(
    'eng-speakers',
    readers.map((speaker, index) => ({
      name: speaker,
      say: Array.from({ length: 6 }, sentence).join(', '),
      voice: `en-gb+${['m1', 'f1', 'm5', 'f5'][index % 4]}`,
      pitch: 30 + 3 * index,
      cells: { speaker },
    })),
  );
}

/** A lexicon, and sentences of both corpora, three of them held out. */
async function writeTexts(folder: string): Promise<void> {
  const readings = toJyutping(CHARACTERS.join('')).split(' ');
  const random = createRandom(5);
  const draw = () => Math.floor(random() * CHARACTERS.length);
  const sentences: { words: string; jyutping: string }[] = [];
  let heldOut = 0;
  while (heldOut < 3) {
    const places = Array.from({ length: 5 }, draw);
    const words = places.map((at) => CHARACTERS[at]!).join(' ');
    sentences.push({ words, jyutping: places.map((at) => readings[at]!).join(' ') });
    if (isHeldOut(words)) heldOut += 1;
  }
  const files = {
    'hkcancor.tsv': ['words\tjyutping', ...sentences.map(({ words, jyutping }) => `${words}\t${jyutping}`)],
    'commonvoice-yue.txt': sentences.slice(0, 5).map(({ words }) => words.replaceAll(' ', '')),
    'rime-lexicon.tsv': CHARACTERS.map((character, at) => `${character}\t${readings[at]}`),
    'rime-word-frequency.txt': CHARACTERS.map((character) => `${character}\t100`),
  };
  await mkdir(join(folder, 'text'), { recursive: true });
  for (const [name, lines] of Object.entries(files)) {
    await writeFile(join(folder, 'text', name), `${lines.join('\n')}\n`);
  }
}
