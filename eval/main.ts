// `npm run eval -- ABILITY`: how well what is installed does its work, on every set that is there (docs/evaluation.md).
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { loadConfig } from '#server/config/config.ts';
import { toAppError } from '@jyutsing/contracts/errors';
import { LANGUAGES, type Language } from '@jyutsing/contracts/transcript';
import { SHIPPED_ENGINES_DIR } from '@jyutsing/engines/registry';
import { SPEAKER_GROUPS, type SpeakerGroup } from './conversations-voices.ts';
import { PRONUNCIATION_PARTS, type PronunciationPart } from './pronunciation/parts.ts';
import { runLanguage, runStt, runTimestamps, type EvaluationOptions } from './run.ts';

const DEFAULT_SETS_FOLDER = './eval-sets';

type Values = {
  set?: string[];
  sets?: string[];
  ownSentences?: boolean;
  model: string[];
  language: Language[];
  limit?: number;
  models?: string;
  engines?: string;
  json?: string;
  markdown?: true;
  seconds: number;
};

type DiarizationValues = { speakers: SpeakerGroup; conversations: number; count: number[]; meetings?: true };

type SpeakingValues = {
  speakers: SpeakerGroup;
  sentences: number;
  voices: number;
  speakerModel: string;
  temperature: number;
};

type PronunciationValues = {
  part: readonly PronunciationPart[];
  sentences: number;
  speakerModel: string;
  pictures?: string;
};

const program = new Command('eval')
  .description('Measures what is installed on recordings. docs/evaluation.md explains sets and figures.')
  .showHelpAfterError();

const withPlaceOptions = (command: Command): Command =>
  command
    .addOption(languageOption('--language <language>', 'only recordings in this language; repeatable'))
    .option('--limit <recordings>', 'at most so many of each set and language, spread over it', wholeNumber)
    .option('--models <folder>', 'where the built-in models lie, instead of models/')
    .option('--engines <folder>', 'where the engines lie, instead of src/engines/')
    .option('--json <file>', 'write everything there, what was heard included')
    .option('--markdown', 'print Markdown tables');

const withCommonOptions = (command: Command): Command =>
  withPlaceOptions(command)
    .option('--set <file or folder>', 'a set: a TSV, or the folder it lies in; repeatable', collect, [])
    .option(
      '--sets <folder>',
      'every TSV in it is a set; repeatable; EVAL_SETS or ./eval-sets where there is one',
      collect,
      [],
    )
    .option('--no-own-sentences', 'leave out the synthetic sentences that every clone has');

withCommonOptions(program.command('stt'))
  .description('error rate, speed and memory of every model available')
  .option('--model <name>', 'only this model, or the models of this engine; repeatable', collect, [])
  .action(async (values: Values) => {
    process.exitCode = await runStt({ ...(await optionsOf(values)), models: values.model });
  });

withCommonOptions(program.command('language'))
  .description('how often the spoken language is told rightly')
  .option('--seconds <seconds>', 'length of the clips', seconds, 3)
  .action(async (values: Values) => {
    process.exitCode = await runLanguage({ ...(await optionsOf(values)), clipSeconds: values.seconds });
  });

withPlaceOptions(program.command('timestamps'))
  .description('how true the times of characters and words are, on the synthetic sentences')
  .action(async (values: Values) => {
    process.exitCode = await runTimestamps(await optionsOf(values));
  });

withCommonOptions(program.command('fusion'))
  .description(
    'what corpora, a hint and the correction of homophones do to Cantonese, on sentences full of names and terms',
  )
  .option('--recognizer <name>', 'whose text is corrected: a model, or the best of an engine', 'builtin')
  .action(async (values: Values & { recognizer: string }) => {
    const { runFusion } = await import('./fusion-run.ts');
    process.exitCode = await runFusion({ ...(await optionsOf(values)), recognizer: values.recognizer });
  });

withPlaceOptions(program.command('diarization'))
  .description('how well speakers are told apart, on conversations made of recordings of single speakers')
  .option(
    '--sets <folder>',
    'recordings: TSVs with file and speaker; repeatable; EVAL_SETS or ./eval-sets',
    collect,
    [],
  )
  .addOption(new Option('--speakers <group>', 'whose recordings').choices(SPEAKER_GROUPS).default('held-out'))
  .option('--conversations <number>', 'of each number of speakers', wholeNumber, 20)
  .addOption(new Option('--count <speakers>', 'numbers of speakers').default([1, 2, 3, 4]).argParser(numbers))
  .option('--meetings', 'also recordings with RTTM files beside them')
  .action(async (values: Values & DiarizationValues) => {
    const { runDiarization } = await import('./diarization-run.ts');
    const { speakers: group, conversations, count: speakerCounts, meetings: withMeetings = false } = values;
    const options = { ...(await optionsOf(values)), group, conversations, speakerCounts, withMeetings };
    process.exitCode = await runDiarization(options);
  });

withPlaceOptions(program.command('tts'))
  .description('what our own recogniser understands of our own speech, and how near clones are to their references')
  .option(
    '--sets <folder>',
    'recordings to clone: TSVs with file and speaker; repeatable; EVAL_SETS or ./eval-sets',
    collect,
    [],
  )
  .addOption(new Option('--speakers <group>', 'whose recordings').choices(SPEAKER_GROUPS).default('held-out'))
  .option('--sentences <number>', 'of each language', wholeNumber, 200)
  .option('--voices <number>', 'to clone', wholeNumber, 20)
  .option('--speaker-model <name>', 'who speaks: a model, or the best of an engine', 'espeak')
  .option('--temperature <number>', 'how much the melody varies, 0 to 2', Number, 0.9)
  .action(async (values: Values & SpeakingValues) => {
    const { runSpeaking } = await import('./speaking/run.ts');
    const { speakers: group, sentences, voices, speakerModel: model, temperature } = values;
    process.exitCode = await runSpeaking({
      ...(await optionsOf(values)),
      group,
      sentences,
      voices,
      model,
      temperature,
    });
  });

withPlaceOptions(program.command('pronunciation'))
  .description('how well right pronunciation is told from wrong, and how near scores come to those of raters')
  .option('--sets <folder>', 'recordings: see docs/evaluation.md; EVAL_SETS or ./eval-sets', collect, [])
  .addOption(new Option('--part <part...>', 'only this').choices(PRONUNCIATION_PARTS).default(PRONUNCIATION_PARTS))
  .option('--sentences <number>', 'of our own, of each language', wholeNumber, 60)
  .option('--speaker-model <name>', 'who speaks them: a model, or the best of an engine', 'espeak')
  .option('--pictures <folder>', 'draw the distributions there, one picture for each language')
  .action(async (values: Values & PronunciationValues) => {
    const { runPronunciation } = await import('./pronunciation/run.ts');
    const { part: parts, sentences, speakerModel: model, pictures } = values;
    const picturesDir = pictures === undefined ? null : resolve(pictures);
    process.exitCode = await runPronunciation({ ...(await optionsOf(values)), parts, sentences, model, picturesDir });
  });

program
  .command('summary')
  .description('how many key sentences the built-in summariser keeps, beside simpler ways, and how fast it is')
  .addOption(new Option('--half <half>', 'which transcripts').choices(['test', 'development']).default('test'))
  .option('--json <file>', 'write everything there')
  .option('--markdown', 'print Markdown tables')
  .action(async ({ half, json, markdown }: Pick<Values, 'json' | 'markdown'> & { half: 'test' | 'development' }) => {
    const { runSummary } = await import('./summary/run.ts');
    const jsonPath = json === undefined ? null : resolve(json);
    process.exitCode = await runSummary({ half, jsonPath, format: markdown === true ? 'markdown' : 'text' });
  });

try {
  await program.parseAsync();
} catch (thrown) {
  const error = toAppError(thrown);
  console.error(error.code === 'internal_error' ? error : error.message);
  process.exitCode = 2;
}

async function optionsOf(values: Values): Promise<EvaluationOptions> {
  const { engines } = loadConfig();
  const folders = [...(values.sets ?? [])];
  const usual = process.env['EVAL_SETS'] || (existsSync(DEFAULT_SETS_FOLDER) ? DEFAULT_SETS_FOLDER : null);
  if (usual !== null) folders.push(usual);
  return {
    places: { sets: values.set ?? [], folders },
    ownSentences: values.ownSentences ?? true,
    languages: values.language.length === 0 ? LANGUAGES : values.language,
    limit: values.limit ?? Infinity,
    place: {
      enginesDir: values.engines === undefined ? SHIPPED_ENGINES_DIR : resolve(values.engines),
      env: values.models === undefined ? engines : { ...engines, builtinModelsDir: resolve(values.models) },
    },
    jsonPath: values.json === undefined ? null : resolve(values.json),
    format: values.markdown === true ? 'markdown' : 'text',
  };
}

function collect(value: string, before: string[]): string[] {
  return [...before, value];
}

function languageOption(flags: string, description: string): Option {
  return new Option(flags, description).argParser(addLanguage).default([]);
}

function addLanguage(value: string, before: Language[]): Language[] {
  const language = LANGUAGES.find((known) => known === value);
  if (language === undefined) throw new InvalidArgumentError(`It is one of ${LANGUAGES.join(', ')}.`);
  return [...before, language];
}

function wholeNumber(value: string): number {
  if (!/^[1-9]\d*$/.test(value)) throw new InvalidArgumentError('It is a whole number from 1 on.');
  return Number(value);
}

function numbers(value: string): number[] {
  return value.split(',').map(wholeNumber);
}

function seconds(value: string): number {
  const number = Number(value);
  if (!(number >= 0.5 && number <= 60)) throw new InvalidArgumentError('It is a number from 0.5 to 60.');
  return number;
}
