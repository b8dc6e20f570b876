import type {
  IdentifiedLanguage,
  LanguageIdentifier,
  LanguageIdentifierEngine,
} from '#contracts/language-identifier.ts';
import { RECOGNIZER_SAMPLE_RATE_HZ, type EngineSurroundings } from '#contracts/recognizer.ts';
import type { Language } from '#contracts/transcript.ts';
import { segmentSpeech, type SegmenterEvent } from '#audio/speech/segmenter.ts';
import { openLanguageScorer } from './acoustic-model.ts';
import { hasModels, modelFiles, modelsVersion } from './model-files.ts';

/** Speech that is enough to decide by; more of it no longer changes the decision. */
const ENOUGH_SPEECH_MS = 6_000;
/** A recording may begin with music; after so much without enough speech, what was heard has to do. */
const PATIENCE_MS = 120_000;

/** All models share one encoder, so any of them tells all languages. */
const LISTENING_MODEL = 'cantonese';

/** Tells the language of a recording by its first seconds of speech, from the scores that the acoustic model gives each language. */
export const engine: LanguageIdentifierEngine = {
  ability: 'language-identifier',
  name: 'builtin',
  version: ({ builtinModelsDir }) => modelsVersion(builtinModelsDir),
  priority: 10,
  availability: ({ builtinModelsDir }) =>
    hasModels(builtinModelsDir, LISTENING_MODEL)
      ? { available: true }
      : { available: false, reason: 'the model files of the built-in language identifier are missing' },
  open: openIdentifier,
};

async function openIdentifier({ builtinModelsDir }: EngineSurroundings): Promise<LanguageIdentifier> {
  const scorer = await openLanguageScorer(modelFiles(builtinModelsDir, LISTENING_MODEL));
  return {
    async identify(audio, among, signal) {
      const [only] = among;
      if (only !== undefined && among.length === 1) return { language: only, confidence: 1 };
      const speech = await firstSpeech(segmentSpeech(audio, signal));
      if (speech === null) return null;
      const scores = await scorer.score(speech);
      signal.throwIfAborted();
      return likeliest(scores, among);
    },
    close: () => scorer.close(),
  };
}

/** The first seconds of speech in one piece, pauses left out; null when there is none. */
async function firstSpeech(events: AsyncIterable<SegmenterEvent>): Promise<Float32Array | null> {
  const wanted = (ENOUGH_SPEECH_MS * RECOGNIZER_SAMPLE_RATE_HZ) / 1_000;
  const pieces: Float32Array[] = [];
  let length = 0;
  for await (const event of events) {
    if (event.type === 'settled' && event.untilMs < PATIENCE_MS) continue;
    if (event.type === 'segment') {
      const piece = event.segment.samples.subarray(0, wanted - length);
      pieces.push(piece);
      length += piece.length;
    }
    if (length >= wanted || event.type === 'settled') break;
  }
  if (length === 0) return null;
  const speech = new Float32Array(length);
  let at = 0;
  for (const piece of pieces) {
    speech.set(piece, at);
    at += piece.length;
  }
  return speech;
}

/** Softmax over the scores of the languages that come into question; null when the model knows none of them. */
function likeliest(scores: ReadonlyMap<Language, number>, among: readonly Language[]): IdentifiedLanguage | null {
  const known = [...scores].filter(([language]) => among.includes(language)).sort((a, b) => b[1] - a[1]);
  const [best] = known;
  if (best === undefined) return null;
  const total = known.reduce((sum, [, score]) => sum + Math.exp(score - best[1]), 0);
  return { language: best[0], confidence: 1 / total };
}
