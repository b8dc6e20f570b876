// `node training/likeness/speak-others.ts --sets RECORDINGS --out FOLDER`: lets other synthesizers
// speak, into WAV files and synthetic.tsv (file, speaker, kind). README.md has more options.
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { AppError } from '@jyutsing/contracts/errors';
import { createRandom } from '#packages/numeric/random.ts';
import { readTable } from '../../eval/pronunciation/tables.ts';
import { spread } from '../../eval/run.ts';
import { apart, WORD_LANGUAGES, wordsOf } from './texts.ts';

const run = promisify(execFile);

type Random = () => number;
/** How a synthesizer makes sound. */
type Kind = 'formants' | 'diphones' | 'statistical' | 'units';
type Engine = (typeof ENGINES)[number];
type Voice = { engine: Engine; voice: string; kind: Kind; language: string; count: number; isTest: boolean };
type Utterance = Voice & { text: string; seed: number; file: string };

/** Named as their programs and as their Debian packages. */
const ENGINES = ['espeak-ng', 'flite', 'festival'] as const;

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

/** Debian packages of the voices of festival; those of flite come with it. */
const PACKAGES: Readonly<Record<string, string>> = {
  kal_diphone: 'festvox-kallpc16k',
  ked_diphone: 'festvox-kdlpc16k',
  cmu_us_slt_arctic_hts: 'festvox-us-slt-hts',
  suo_fi_lj_diphone: 'festvox-suopuhe-lj',
  lp_diphone: 'festvox-italp16k',
  pc_diphone: 'festvox-itapc16k',
  upc_ca_ona_hts: 'festvox-ca-ona-hts',
  msu_ru_nsh_clunits: 'festvox-ru',
};

function voice(engine: Engine, name: string, kind: Kind, language: string, count: number): Voice {
  return { engine, voice: name, kind, language, count, isTest: false };
}

const { values } = parseArgs({
  options: {
    sets: { type: 'string' },
    out: { type: 'string' },
    share: { type: 'string', default: '1' },
    engines: { type: 'string', default: ENGINES.join(',') },
  },
});
const share = Number(values.share);
const engines = values.engines.split(',');
if (values.sets === undefined || values.out === undefined || !(share > 0 && share <= 1) || !engines.every(isEngine)) {
  refuse(`usage: --sets RECORDINGS --out FOLDER [--share 0.05] [--engines ${ENGINES.join(',')}]`);
}
const out = resolve(values.out);
const utterances = await plan(resolve(values.sets), createRandom(7));
await requireVoices(utterances);
await mkdir(out, { recursive: true });
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

function isEngine(name: string): name is Engine {
  return ENGINES.some((engine) => engine === name);
}

function refuse(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}

/**
 * Refuses to begin without a synthesizer or a voice: festival would end in the middle, and flite
 * would speak with another voice.
 */
async function requireVoices(list: readonly Utterance[]): Promise<void> {
  const missing = new Set<string>();
  const packages = new Set<string>();
  for (const engine of new Set(list.map((utterance) => utterance.engine))) {
    const installed = await voicesOf(engine);
    const wantedVoices = new Set(
      list.filter((utterance) => utterance.engine === engine).map((utterance) => utterance.voice),
    );
    if (installed === null) {
      missing.add(engine);
      packages.add(engine);
    }
    // The languages and variants of espeak-ng come with it.
    for (const name of engine === 'espeak-ng' ? [] : wantedVoices) {
      if (installed?.includes(name)) continue;
      if (installed !== null) missing.add(`${engine}/${name}`);
      packages.add(PACKAGES[name] ?? engine);
    }
  }
  if (missing.size === 0) return;
  refuse(
    `Not installed: ${[...missing].join(', ')}. Install them with\n  apt-get install ${[...packages].join(' ')}\n` +
      'or name the synthesizers that may speak, such as --engines espeak-ng.',
  );
}

/** The voices that a synthesizer names, or null if it is not installed. */
async function voicesOf(engine: Engine): Promise<string[] | null> {
  const options = { 'espeak-ng': ['--version'], flite: ['-lv'], festival: ['-b', '(print (voice.list))'] }[engine];
  try {
    const { stdout } = await run(engine, options);
    return stdout.split(/[\s()]+/);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

async function writeTable(name: string, list: readonly Utterance[]): Promise<void> {
  const rows = list.map(({ file, engine, voice: by, kind }) => [basename(file), `${engine}/${by}`, kind].join('\t'));
  await writeFile(join(out, name), ['file\tspeaker\tkind', ...rows, ''].join('\n'));
}

/** English texts are those of the learners, so that words do not tell people from machines. */
async function plan(sets: string, random: Random): Promise<Utterance[]> {
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
  const weightedVoices = VOICES.flatMap((voice) => Array.from({ length: Math.ceil(voice.count * share) }, () => voice));
  return [...spread(espeak, Math.ceil(ESPEAK_COUNT * share)), ...weightedVoices]
    .filter(({ engine }) => engines.includes(engine))
    .map((voice, index) => ({ ...voice, text: textOf(voice.language), seed: index, file: join(out, `${index}.wav`) }));
}

async function speak({ engine, voice: name, text, seed, file }: Utterance): Promise<void> {
  const random = createRandom(seed);
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
  if (lines.length === 0) return;
  const script = join(out, 'festival.scm');
  await writeFile(script, lines.join('\n'));
  await run('festival', ['-b', script], { maxBuffer: 1e8 });
}
