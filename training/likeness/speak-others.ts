// `node training/likeness/speak-others.ts --sets RECORDINGS --out FOLDER`: lets other synthesizers
// speak, into WAV files and synthetic.tsv (file, speaker, engine, kind).
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { AppError } from '@jyutsing/contracts/errors';
import { createRandom } from '#packages/audio/vocoder/random.ts';
import { readTable } from '../../eval/pronunciation/tables.ts';
import { apart, WORD_LANGUAGES, wordsOf } from './texts.ts';

const run = promisify(execFile);

type Random = () => number;
/** How a synthesizer makes sound. */
type Kind = 'formants' | 'diphones' | 'statistical' | 'units';
type Voice = { engine: string; voice: string; kind: Kind; language: string; count: number; isTest: boolean };
type Utterance = Voice & { text: string; file: string };

const ESPEAK_LANGUAGES = ['en-us', 'en-gb', 'en-gb-scotland', ...WORD_LANGUAGES];
const ESPEAK_VARIANTS =
  'm1 m2 m3 m4 m5 m6 m7 f1 f2 f3 f4 f5 klatt klatt2 klatt3 klatt4 klatt5 Andy Annie Alex Denis Michael adam linda steph'.split(
    ' ',
  );
const ESPEAK_COUNT = 620;

/** Voices of flite and festival. Those marked as tests are never learnt from. */
const VOICES: readonly Voice[] = [
  voice('flite', 'kal16', 'diphones', 'en', 90),
  voice('flite', 'awb', 'statistical', 'en', 130),
  voice('flite', 'rms', 'statistical', 'en', 130),
  voice('flite', 'slt', 'statistical', 'en', 130),
  voice('festival', 'kal_diphone', 'diphones', 'en', 60),
  voice('festival', 'ked_diphone', 'diphones', 'en', 90),
  voice('festival', 'cmu_us_slt_arctic_hts', 'statistical', 'en', 90),
  voice('festival', 'suo_fi_lj_diphone', 'diphones', 'fi', 110),
  voice('festival', 'lp_diphone', 'diphones', 'it', 110),
  { ...voice('festival', 'pc_diphone', 'diphones', 'it', 40), isTest: true },
  { ...voice('festival', 'upc_ca_ona_hts', 'statistical', 'ca', 40), isTest: true },
  { ...voice('festival', 'msu_ru_nsh_clunits', 'units', 'ru', 60), isTest: true },
];

function voice(engine: string, name: string, kind: Kind, language: string, count: number): Voice {
  return { engine, voice: name, kind, language, count, isTest: false };
}

const { values } = parseArgs({
  options: { sets: { type: 'string' }, out: { type: 'string' }, share: { type: 'string' } },
});
if (values.sets === undefined || values.out === undefined) {
  throw new AppError('invalid_parameter', 'Name the recordings with --sets and the output with --out.');
}
const out = resolve(values.out);
await mkdir(out, { recursive: true });
const utterances = await plan(resolve(values.sets), Number(values.share ?? 1), createRandom(7));
for (const utterance of utterances.filter(({ engine }) => engine !== 'festival')) await speak(utterance);
await speakByFestival(utterances.filter(({ engine }) => engine === 'festival'));
await writeTable(
  'synthetic.tsv',
  utterances.filter(({ isTest }) => !isTest),
);
await writeTable(
  'synthetic-test.tsv',
  utterances.filter(({ isTest }) => isTest),
);
console.log(`${utterances.length} utterances`);

async function writeTable(name: string, list: readonly Utterance[]): Promise<void> {
  const rows = list.map(({ file, engine, voice: by, kind }) => [basename(file), `${engine}/${by}`, kind].join('\t'));
  await writeFile(join(out, name), ['file\tspeaker\tkind', ...rows, ''].join('\n'));
}

/** English texts are those of the learners, so that words do not tell people from machines. */
async function plan(sets: string, share: number, random: Random): Promise<Utterance[]> {
  const table = await readTable([sets], 'eng-learners-train');
  if (table === null) throw new AppError('invalid_parameter', `${sets} has no eng-learners-train.tsv.`);
  const english = table.rows.map(({ text = '' }) => text.toLowerCase().replaceAll(/[^a-z' ]/g, ''));
  const textOf = (language: string) => {
    const text = language.startsWith('en')
      ? english[Math.floor(random() * english.length)]!
      : wordsOf(language, random);
    return random() < 0.12 ? apart(text) : text;
  };
  const pick = (list: readonly string[]) => list[Math.floor(random() * list.length)]!;
  const espeak = Array.from({ length: ESPEAK_COUNT }, () => {
    const language = pick(ESPEAK_LANGUAGES);
    return { ...voice('espeak-ng', `${language}+${pick(ESPEAK_VARIANTS)}`, 'formants', language, 1) };
  });
  return [...espeak, ...VOICES]
    .flatMap((each) => Array.from({ length: Math.ceil(each.count * share) }, () => each))
    .filter((_, index) => share >= 1 || index % Math.round(1 / share) === 0)
    .map((each, index) => ({ ...each, text: textOf(each.language), file: join(out, `${index}.wav`) }));
}

async function speak({ engine, voice: name, text, file }: Utterance): Promise<void> {
  const random = createRandom(file.length + text.length * 31);
  if (engine === 'flite') await run('flite', ['-voice', name, '-t', text, '-o', file]);
  else {
    const speed = Math.round(130 + 60 * random());
    const pitch = Math.round(25 + 50 * random());
    await run('espeak-ng', ['-v', name, '-s', String(speed), '-p', String(pitch), '-w', file, text]);
  }
}

/** Removes accents: festival reads single bytes as letters, except in Russian. */
function forFestival(text: string, name: string): string {
  return name.startsWith('msu_ru') ? text : text.normalize('NFD').replaceAll(/\p{M}/gu, '');
}

/** Festival takes seconds to start, so one process speaks all. */
async function speakByFestival(utterances: readonly Utterance[]): Promise<void> {
  const lines = utterances
    .toSorted((a, b) => a.voice.localeCompare(b.voice))
    .flatMap(({ voice: name, text, file }, index, all) => [
      ...(all[index - 1]?.voice === name ? [] : [`(voice_${name})`]),
      `(utt.save.wave (utt.synth (Utterance Text "${forFestival(text, name)}")) "${file}" 'riff)`,
    ]);
  const script = join(out, 'festival.scm');
  await writeFile(script, lines.join('\n'));
  await run('festival', ['-b', script], { maxBuffer: 1e8 });
}
