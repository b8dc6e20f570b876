import type { LiveOptions } from '@jyutsing/contracts/live-recognition';
import { LANGUAGES, type Language } from '@jyutsing/contracts/transcript';
import type { SpeechSegment } from '@jyutsing/audio/speech/segmenter';
import type { LiveContext } from './live-context.ts';
import { oneChunk } from './one-chunk.ts';

/** The language of one segment, identified once there is enough speech. */
type SegmentLanguage = {
  /** The language to recognize this sound in. Throws what the identifier throws. */
  identify(speech: SpeechSegment, isWhole: boolean): Promise<Language>;
  /** The language decided last. */
  current(): Language;
};

/** Less speech tells little; until then the language of the segment before is assumed. */
const MIN_SPEECH_MS = 1_200;
/** A decision from less speech is made again when the piece is complete. */
const SURE_SPEECH_MS = 3_000;

/** `assumed`: the language of the segment before; null for the first. */
export function createSegmentLanguage(
  models: LiveOptions['models'],
  assumed: Language | null,
  open: LiveContext['open'],
  signal: AbortSignal,
): SegmentLanguage {
  const among = LANGUAGES.filter((language) => models.recognizers[language] !== undefined);
  const [first = 'cantonese'] = among;
  let language = assumed !== null && among.includes(assumed) ? assumed : first;
  let identifiedMs = 0;
  return {
    async identify(speech, isWhole) {
      const speechMs = speech.speechEndMs - speech.speechStartMs;
      const isDecided = identifiedMs > 0 && (!isWhole || identifiedMs >= Math.min(speechMs, SURE_SPEECH_MS));
      if (models.languageIdentifier === null || among.length === 1 || isDecided) return language;
      if (!isWhole && speechMs < MIN_SPEECH_MS) return language;
      const identifier = await open(models.languageIdentifier);
      const found = await identifier.identify(oneChunk(speech.samples), among, signal);
      identifiedMs = Math.max(1, speechMs);
      language = found?.language ?? language;
      return language;
    },
    current: () => language,
  };
}
