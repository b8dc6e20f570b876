// `npm run eval -- ABILITY`: measures installed engines on evaluation sets (docs/evaluation.md).
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Argument, Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { loadConfig } from '#server/config/config.ts';
import { toAppError } from '@jyutsing/contracts/errors';
import { LANGUAGES, type Language } from '@jyutsing/contracts/transcript';
import { SHIPPED_ENGINES_DIR } from '@jyutsing/engines/registry';
import { SPEAKER_GROUPS, type SpeakerGroup } from './diarization/find-voices.ts';
import { PEOPLE_PARTS, type PeoplePart } from './people/parts.ts';
import { PRONUNCIATION_PARTS, type PronunciationPart } from './pronunciation/parts.ts';
import { MEASURED_TEXT_PARTS, TEXT_PARTS, type TextPart } from './text/text-parts.ts';
import { TTS_PARTS, type TtsPart } from './tts/parts.ts';
import { numbers, seconds, wholeNumber } from './numbers.ts';
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

type DiarizationValues = {
  speakers: SpeakerGroup;
  conversations: number;
  count: number[];
  meetings?: true;
  live?: true;
  far?: true;
};

type TtsValues = {
  speakers: SpeakerGroup;
  sentences: number;
  skip: number;
  voices: number;
  speakerModel: string;
  temperature: number;
  speed: number;
  people: string[];
  machines: string[];
  half: 'test' | 'development';
  page?: string;
  prosody?: true;
  goals?: true;
  mixed?: true;
  seed: number;
  pictures?: string;
  python: string;
  whisper?: string;
};

type PronunciationValues = {
  part: readonly PronunciationPart[];
  sentences: number;
  speakerModel: string;
  pictures?: string;
};

type TextValues = { texts: string; verbose?: true; python?: string; against?: string; markdown?: true };

type MediaValues = Pick<Values, 'json' | 'markdown'> & { filter: string; keep?: string; text: boolean };

const program = new Command('eval')
  .description('Measures what is installed on recordings. docs/evaluation.md explains sets and figures.')
  .exitOverride()
  .showHelpAfterError();

const withEngineOptions = (command: Command): Command =>
  command
    .addOption(languageOption('--language <language>', 'only recordings in this language; repeatable'))
    .option('--limit <recordings>', 'at most this many of each set and language, evenly spread', wholeNumber)
    .option('--models <folder>', 'folder of the built-in models instead of models/')
    .option('--engines <folder>', 'folder of the engines instead of packages/engines/')
    .option('--json <file>', 'write detailed results, including recognized texts, to a file')
    .option('--markdown', 'print Markdown tables');

const withCommonOptions = (command: Command): Command =>
  withEngineOptions(command)
    .option('--set <file or folder>', 'a set: a TSV file or its folder; repeatable', collect, [])
    .option(
      '--sets <folder>',
      'folder in which every TSV is a set; repeatable; default: EVAL_SETS, or ./eval-sets if it exists',
      collect,
      [],
    )
    .option('--no-own-sentences', 'skip the synthetic sentences of this project');

withCommonOptions(program.command('stt'))
  .description('error rate, speed and memory of every available model')
  .option('--model <name>', 'only this model or all of this engine; repeatable', collect, [])
  .action(async (values: Values) => {
    process.exitCode = await runStt({ ...(await optionsOf(values)), models: values.model });
  });

withCommonOptions(program.command('language'))
  .description('accuracy of spoken-language identification')
  .option('--seconds <seconds>', 'length of the clips', seconds, 3)
  .action(async (values: Values) => {
    process.exitCode = await runLanguage({ ...(await optionsOf(values)), clipSeconds: values.seconds });
  });

program
  .command('chinese')
  .description('share of Cantonese and Mandarin sentences that come back as spoken when language=zh is sent')
  .option('--limit <sentences>', 'at most this many sentences of each language', wholeNumber)
  .option('--json <file>', 'write all sentences and texts to a file')
  .option('--markdown', 'print Markdown tables')
  .action(async (values: Pick<Values, 'limit' | 'json' | 'markdown'>) => {
    const { runChinese } = await import('./chinese/run-chinese.ts');
    process.exitCode = await runChinese(outputOf(values));
  });

program
  .command('readable')
  .description('what changes in texts, one sentence a line, when spoken numbers are written in digits')
  .requiredOption(
    '--texts <file>',
    'sentences as spoken: a text file, or the first column of a TSV; repeatable',
    collect,
    [],
  )
  .addOption(new Option('--language <language>', 'of the texts').choices(LANGUAGES).default('cantonese'))
  .option('--markdown', 'print Markdown tables')
  .action(async ({ markdown, ...values }: { texts: string[]; language: Language; markdown?: true }) => {
    const { runReadable } = await import('./readable/run-readable.ts');
    process.exitCode = await runReadable({ ...values, format: markdown === true ? 'markdown' : 'text' });
  });

program
  .command('marks')
  .description('where commas are set by the words and by pauses, in Cantonese and Mandarin texts')
  .requiredOption('--texts <folder>', 'with hkcancor.tsv and commonvoice-yue.txt')
  .option('--markdown', 'print Markdown tables')
  .action(async ({ texts, markdown }: { texts: string; markdown?: true }) => {
    const { runMarks } = await import('./readable/run-marks.ts');
    await runMarks({ texts, format: markdown === true ? 'markdown' : 'text' });
  });

program
  .command('text')
  .description(
    'whether Cantonese texts are read as people read them, alike in Simplified characters or copied from PDFs, and written for Hong Kong',
  )
  .addArgument(new Argument('[part...]', 'parts to measure').choices(TEXT_PARTS).default(MEASURED_TEXT_PARTS))
  .requiredOption(
    '--texts <folder>',
    'with hkcancor.tsv, commonvoice-yue.txt and rime-lexicon.tsv; for changes: *-yue, *-cmn and *-eng (.txt, .tsv)',
  )
  .option('--against <commit>', 'for changes: list the lines that this code says otherwise than that of a commit')
  .option('--verbose', 'list everything that differs')
  .option(
    '--python <interpreter>',
    'compare with xjyutping, ToJyutping, canto-hk-g2p, pycantonese, cantonesedetect and canto-filter, where it has them',
  )
  .option('--markdown', 'print Markdown tables')
  .action(async (parts: readonly TextPart[], values: TextValues) => {
    const { texts, verbose: isVerbose = false, python = null, against = '', markdown } = values;
    if (parts.includes('changes') && against === '') program.error('error: name the commit with --against');
    const format = markdown === true ? 'markdown' : 'text';
    const { runText } = await import('./text/run-text.ts');
    process.exitCode = await runText({ parts, texts, isVerbose, python, against, format });
  });

withEngineOptions(program.command('timestamps'))
  .description('accuracy of character and word times, on the synthetic sentences')
  .action(async (values: Values) => {
    process.exitCode = await runTimestamps(await optionsOf(values));
  });

withCommonOptions(program.command('fusion'))
  .description('effect of corpora, a hint and homophone correction on Cantonese sentences full of names and terms')
  .option('--recognizer <name>', 'recognizer to correct: a model, or an engine for its best model', 'builtin')
  .action(async (values: Values & { recognizer: string }) => {
    const { runFusion } = await import('./fusion/run-fusion.ts');
    process.exitCode = await runFusion({ ...(await optionsOf(values)), recognizer: values.recognizer });
  });

withEngineOptions(program.command('vad'))
  .description('what the voice activity detectors miss of speech, and take for speech')
  .option('--sets <folder>', 'recordings, with RTTM files for meetings; default: EVAL_SETS or ./eval-sets', collect, [])
  .option('--set <file or folder>', 'a set: a TSV file or its folder; repeatable', collect, [])
  .option('--vad <names>', 'detectors to compare', 'silero,webrtc')
  .option('--text', 'instead: the text of the built-in recognizer for sentences and noise')
  .action(async (values: Values & { vad: string; text?: true }) => {
    const { runVad } = await import('./vad/run-vad.ts');
    const detectors = values.vad.split(',').map((name) => name.trim());
    process.exitCode = await runVad({ ...(await optionsOf(values)), detectors, withText: values.text === true });
  });

withEngineOptions(program.command('diarization'))
  .description('speaker diarization error, on conversations simulated from recordings of single speakers')
  .option(
    '--sets <folder>',
    'recordings: TSVs with file and speaker; repeatable; default: EVAL_SETS or ./eval-sets',
    collect,
    [],
  )
  .addOption(new Option('--speakers <group>', 'speaker group to use').choices(SPEAKER_GROUPS).default('held-out'))
  .option('--conversations <number>', 'conversations per number of speakers', wholeNumber, 20)
  .addOption(new Option('--count <speakers>', 'numbers of speakers').default([1, 2, 3, 4]).argParser(numbers))
  .option('--meetings', 'also recordings that have an RTTM file beside them')
  .option('--far', 'conversations in rooms, far from the microphone, with more speech at once')
  .option('--live', 'as in a live session: each stretch of speech when it ends')
  .action(async (values: Values & DiarizationValues) => {
    const { runDiarization } = await import('./diarization/run-diarization.ts');
    const {
      speakers: group,
      conversations,
      count: speakerCounts,
      meetings: withMeetings = false,
      live: isLive = false,
      far: isFar = false,
    } = values;
    const options = { ...(await optionsOf(values)), group, conversations, speakerCounts, withMeetings, isLive, isFar };
    process.exitCode = await runDiarization(options);
  });

withEngineOptions(program.command('tts'))
  .description(
    'intelligibility of synthetic speech to our own recognizer, and similarity of clones to their references',
  )
  .option(
    '--sets <folder>',
    'recordings to clone: TSVs with file and speaker; repeatable; default: EVAL_SETS or ./eval-sets',
    collect,
    [],
  )
  .addOption(new Option('--speakers <group>', 'speaker group to use').choices(SPEAKER_GROUPS).default('held-out'))
  .option('--sentences <number>', 'sentences per language', wholeNumber, 200)
  .option('--skip <number>', 'leave out this many sentences first', Number, 0)
  .option('--voices <number>', 'voices to clone', wholeNumber, 20)
  .option('--speaker-model <name>', 'synthesizer: a model, or an engine for its best model', 'espeak')
  .option('--temperature <number>', 'variation of the intonation, 0 to 2', Number, 0.9)
  .option('--speed <number>', 'relative to the rate of each voice, 0.5 to 3', Number, 1)
  .option('--people <table>', 'instead: likeness to these recordings of people; repeatable', collect, [])
  .option('--machines <table>', 'recordings of other synthesizers, for --people; repeatable', collect, [])
  .addOption(
    new Option('--half <half>', 'recordings and sentences for --people')
      .choices(['test', 'development'])
      .default('test'),
  )
  .option('--page <folder>', 'instead: write a page on which a person compares the voices, and people with --sets')
  .option('--seed <number>', 'of the order of the page', Number, 1)
  .option('--prosody', 'instead: joins, rhythm, pitch and energy beside those of people, with --sets')
  .option('--mixed', 'instead: Cantonese sentences with English words, by the acoustic model alone')
  .option('--goals', 'instead: everything that the voice of recorded syllables has a goal for, with --sets')
  .option('--pictures <folder>', 'instead: draw spectrograms of a sentence by a person and the voices')
  .addArgument(new Argument('[part]', 'english: misheard words; naturalness: a predicted rating').choices(TTS_PARTS))
  .option('--python <program>', 'for parts: a Python with faster-whisper or distillmos, and hibari-tts', 'python3')
  .option('--whisper <folder>', 'for english: a Whisper model that CTranslate2 converted')
  .action(async (part: TtsPart | undefined, values: Values & TtsValues) => {
    const { runTts } = await import('./tts/run-tts.ts');
    const { speakers: group, speakerModel: model, python, whisper = '', page, seed, pictures, ...settings } = values;
    if (part === 'english' && whisper === '') program.error('error: name the folder of a Whisper model with --whisper');
    process.exitCode = await runTts({
      prosody: false,
      goals: false,
      mixed: false,
      ...settings,
      ...(await optionsOf(values)),
      group,
      model,
      english: part === 'english' ? { python, whisper: resolve(whisper) } : null,
      naturalness: part === 'naturalness' ? { python } : null,
      picturesDir: pictures === undefined ? null : resolve(pictures),
      page: page === undefined ? null : { folder: resolve(page), seed },
    });
  });

withEngineOptions(program.command('voices'))
  .description('samples of voices: how many of one person are refused, and how many of two')
  .option(
    '--sets <folder>',
    'recordings: TSVs with file and speaker; repeatable; default: EVAL_SETS or ./eval-sets',
    collect,
    [],
  )
  .addOption(new Option('--speakers <group>', 'speaker group to use').choices(SPEAKER_GROUPS).default('held-out'))
  .option('--samples <number>', 'samples of one person, and of two', wholeNumber, 100)
  .action(async (values: Values & { speakers: SpeakerGroup; samples: number }) => {
    const { runVoices } = await import('./voices/run-voices.ts');
    const { speakers: group, samples } = values;
    process.exitCode = await runVoices({ ...(await optionsOf(values)), group, samples });
  });

withEngineOptions(program.command('pronunciation [people]'))
  .description('mistakes found, and agreement with human raters; with "people": the table of people and its goals')
  .option('--sets <folder>', 'recordings (docs/evaluation.md); default: EVAL_SETS or ./eval-sets', collect, [])
  .addOption(new Option('--part <part...>', 'parts to run').choices(PRONUNCIATION_PARTS).default(PRONUNCIATION_PARTS))
  .option('--sentences <number>', 'synthetic sentences per language', wholeNumber, 60)
  .option('--speaker-model <name>', 'synthesizer: a model, or an engine for its best model', 'espeak')
  .option('--pictures <folder>', 'draw score distributions into this folder, one picture per language')
  .action(async (people: string | undefined, values: Values & PronunciationValues) => {
    const { runPronunciation } = await import('./pronunciation/run-pronunciation.ts');
    const { part: parts, sentences, speakerModel: model, pictures } = people ? { ...values, part: [] } : values;
    const picturesDir = pictures === undefined ? null : resolve(pictures);
    process.exitCode = await runPronunciation({ ...(await optionsOf(values)), parts, sentences, model, picturesDir });
  });

program
  .command('people')
  .description('what the built-in models do with recordings of people, beside the figures before and the goals')
  .option('--sets <folder>', 'recordings (docs/evaluation.md); default: EVAL_SETS or ./eval-sets', collect, [])
  .addOption(new Option('--only <part...>', 'parts to measure').choices(PEOPLE_PARTS).default(PEOPLE_PARTS))
  .option('--quick', 'a few recordings of each set, to see that everything runs')
  .option('--models <folder>', 'folder of the built-in models instead of models/')
  .option('--json <file>', 'write all figures to a file')
  .option('--markdown', 'print Markdown tables')
  .action(async (values: Partial<Values> & { only: readonly PeoplePart[]; quick?: true }) => {
    const { runPeople } = await import('./people/run-people.ts');
    const options = await optionsOf({ ...values, language: [] });
    process.exitCode = await runPeople({ ...options, only: values.only, isQuick: values.quick === true });
  });

program
  .command('media')
  .description('files as devices write them: times, length, charge and text beside those of ffmpeg and sox')
  .option('--filter <text>', 'only files whose kind or description contains this', '')
  .option('--no-text', 'compare samples only, and send no file to a service')
  .option('--keep <folder>', 'keep the files in this folder')
  .option('--json <file>', 'write all results to a file')
  .option('--markdown', 'print a Markdown table')
  .action(async ({ filter, keep, text: withText, ...values }: MediaValues) => {
    const { runMedia } = await import('./media/run-media.ts');
    const keepDir = keep === undefined ? null : resolve(keep);
    process.exitCode = await runMedia({ filter, withText, keepDir, ...outputOf(values) });
  });

program
  .command('summary')
  .description('share of key sentences kept by the built-in summarizer, compared with baselines, and its speed')
  .addOption(new Option('--half <half>', 'transcripts to use').choices(['test', 'development']).default('test'))
  .option('--json <file>', 'write detailed results to a file')
  .option('--markdown', 'print Markdown tables')
  .action(async ({ half, ...values }: Pick<Values, 'json' | 'markdown'> & { half: 'test' | 'development' }) => {
    const { runSummary } = await import('./summary/run-summary.ts');
    process.exitCode = await runSummary({ half, ...outputOf(values) });
  });

try {
  await program.parseAsync();
} catch (thrown) {
  // commander has already printed what is wrong with the arguments, or the help.
  if (!(thrown instanceof CommanderError)) {
    const error = toAppError(thrown);
    console.error(error.code === 'internal_error' ? error : error.message);
  }
  process.exitCode = thrown instanceof CommanderError && thrown.exitCode === 0 ? 0 : 2;
}

async function optionsOf(values: Partial<Values> & Pick<Values, 'language'>): Promise<EvaluationOptions> {
  const { engines } = loadConfig();
  const folders = [...(values.sets ?? [])];
  const defaultSets = process.env['EVAL_SETS'] || (existsSync(DEFAULT_SETS_FOLDER) ? DEFAULT_SETS_FOLDER : null);
  if (defaultSets !== null) folders.push(defaultSets);
  return {
    locations: { sets: values.set ?? [], folders },
    ownSentences: values.ownSentences ?? true,
    languages: values.language.length === 0 ? LANGUAGES : values.language,
    place: {
      enginesDir: values.engines === undefined ? SHIPPED_ENGINES_DIR : resolve(values.engines),
      env: values.models === undefined ? engines : { ...engines, builtinModelsDir: resolve(values.models) },
    },
    ...outputOf(values),
  };
}

/** How much to measure, and what becomes of it. */
function outputOf({ limit, json, markdown }: Pick<Partial<Values>, 'limit' | 'json' | 'markdown'>) {
  return {
    limit: limit ?? Infinity,
    jsonPath: json === undefined ? null : resolve(json),
    format: markdown === true ? ('markdown' as const) : ('text' as const),
  };
}

function collect(value: string, before: string[]): string[] {
  return [...before, value];
}

function languageOption(flags: string, description: string): Option {
  return new Option(flags, description).argParser(addLanguage).default([]);
}

function addLanguage(value: string, before: Language[]): Language[] {
  const language = LANGUAGES.find((candidate) => candidate === value);
  if (language === undefined) throw new InvalidArgumentError(`Must be one of ${LANGUAGES.join(', ')}.`);
  return [...before, language];
}
