import type { PhraseEnding, SpokenPiece } from '@jyutsing/contracts/spoken-text';
import type { SynthesisEvent, SynthesisRequest, SynthesisVoice, Synthesizer } from '@jyutsing/contracts/synthesizer';
import type { Language } from '@jyutsing/contracts/transcript';
import { VOICE_BANDS } from '@jyutsing/contracts/voice';
import { wavBytes } from '#testbed/sound/audio.ts';
import { singText } from './sung-text.ts';

/** Words with readings, e.g. `廣東話=gwong2.dung1.waa2`; English words need none. */
function wordsOf(text: string, language: Language): SpokenPiece['phrases'][number]['words'] {
  return text.split(' ').map((entry) => {
    const [written = '', reading = ''] = entry.split('=');
    const isLatin = /^\p{Script=Latin}/u.test(written);
    return {
      written,
      language: isLatin ? ('english' as const) : language,
      spokenForm: written,
      reading: reading === '' ? [] : reading.split('.'),
    };
  });
}

const MARKS: Readonly<Record<PhraseEnding, string>> = {
  none: '',
  comma: '，',
  statement: '。',
  question: '？',
  exclamation: '！',
  ellipsis: '……',
};

/** A piece of phrases `[words, ending]` that ends a sentence. */
export function pieceOf(
  phrases: readonly (readonly [text: string, ending: PhraseEnding])[],
  language: Language = 'cantonese',
): SpokenPiece {
  const spoken = phrases.map(([text, ending]) => ({ words: wordsOf(text, language), ending }));
  const spokenForm = spoken
    .map(
      ({ words, ending }) =>
        words.map((word) => word.spokenForm).join(language === 'english' ? ' ' : '') + MARKS[ending],
    )
    .join('');
  return { phrases: spoken, spokenForm, endsSentence: true };
}

/** A voice of 200 Hz, with a sample humming at `sampleHz`, or without. */
export function voiceOf(sampleHz: number | null = null, transcript: string | null = '早晨'): SynthesisVoice {
  const flat = Array.from({ length: VOICE_BANDS.count }, (_, band) => -band / 2);
  const sample = sampleHz === null ? null : singText('早晨早晨早晨早晨', { pitchHz: sampleHz });
  return {
    id: 'test',
    profile: {
      version: 1,
      pitchMedianHz: 200,
      pitchLowSemitones: -4,
      pitchHighSemitones: 4,
      formantsHz: [550, 1_600, 2_700],
      voicedBandsDb: flat,
      unvoicedBandsDb: flat.toReversed(),
      noiseShares: flat.map(() => 0.1),
      syllablesPerSecond: 4.5,
      timbre: '',
    },
    reference:
      sample === null
        ? null
        : { wav: new Uint8Array(wavBytes({ sampleRateHz: 24_000, channels: [sample] })), transcript },
  };
}

/** A default request with `changes`. */
export function requestOf(
  pieces: readonly SpokenPiece[],
  changes: Partial<Omit<SynthesisRequest, 'pieces'>> = {},
): SynthesisRequest {
  return {
    pieces,
    language: 'cantonese',
    voice: voiceOf(),
    temperature: 0.5,
    topP: 0.95,
    speed: 1,
    pitchSemitones: 0,
    seed: 7,
    ...changes,
  };
}

/** Collects all events of a request. */
export function speakAll(
  synthesizer: Synthesizer,
  request: SynthesisRequest,
  signal: AbortSignal = new AbortController().signal,
): Promise<SynthesisEvent[]> {
  return Array.fromAsync(synthesizer.synthesize(request, signal));
}

/** Joins the audio of events. */
export function soundOf(events: readonly SynthesisEvent[]): Float32Array<ArrayBuffer> {
  const pieces = events.flatMap((event) => (event.type === 'audio' ? [event.samples] : []));
  const samples = new Float32Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    samples.set(piece, at);
    at += piece.length;
  }
  return samples;
}
