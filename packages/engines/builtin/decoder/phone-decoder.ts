import { symbolCount } from './labels.ts';
import type { LanguageModel } from './language-model.ts';
import { type AlignedPhone, alignPhones } from './phone-alignment.ts';
import { phoneLexicon } from './phone-lexicon.ts';
import { type PhoneSearchResult, searchPhones } from './phone-search.ts';
import type { WordRecord } from './phone-tokens.ts';
import { frameTimes } from './timing.ts';
import type { AcousticLabels, DecodedSyllable, DecodedUnit, Posteriors } from './types.ts';
import type { DecoderWeights } from './weights.ts';

/** Frames that a phone lasts after its last symbol. */
const TAIL_FRAMES = 0;
/**
 * Largest difference, in frames, of beginnings and of ends at which two words are rivals for the
 * same stretch of sound.
 */
const RIVAL_FRAMES = 3;
/** Logistic curve from evidence to how often words with that evidence are right. */
const CALIBRATION = { offset: 1, shareLogOdds: 0.35, phoneLogp: 0.8 };

/** Decodes a phone-based language; see `Decoder`. Posteriors must have the right sizes. */
export function createPhoneDecoder(
  labels: AcousticLabels,
  model: LanguageModel,
  weights: DecoderWeights,
): { decode(posteriors: Posteriors): DecodedUnit[]; decodeUnits(posteriors: Posteriors): DecodedSyllable[] } {
  const width = symbolCount(labels);
  const lexicon = phoneLexicon(labels, model, weights);
  return {
    decode(posteriors) {
      const result = searchPhones(posteriors, width, lexicon, model, weights);
      const { words } = result;
      const aligned = words.map(({ node, startFrame, lastFrame }, index) => {
        const to = words[index + 1]?.startFrame ?? Math.min(posteriors.frameCount, lastFrame + 1 + RIVAL_FRAMES);
        return alignPhones(posteriors, width, lexicon.columnsTo(node), startFrame, Math.max(to, lastFrame + 1));
      });
      const times = frameTimes(
        words.map(({ startFrame, lastFrame }, index) => ({
          startFrame,
          endFrame: aligned[index]?.at(-1)?.endFrame ?? lastFrame + 1,
        })),
        labels.frameMs,
        posteriors.frameCount,
        TAIL_FRAMES,
      );
      return words.map((record, index) => ({
        text: model.text(record.word),
        reading: lexicon
          .columnsTo(record.node)
          .map((column) => labels.phones[column - 1])
          .join(' '),
        startMs: times[index]?.startMs ?? 0,
        endMs: times[index]?.endMs ?? 0,
        confidence: wordConfidence(wordShare(record, result, model), aligned[index] ?? []),
      }));
    },
    decodeUnits: (posteriors) => likeliestPhones(posteriors, labels),
  };
}

/**
 * Computes the share of a word among all words that some path within the beam ended over the same
 * stretch, by their paths' scores.
 */
function wordShare(record: WordRecord, { endedAt }: PhoneSearchResult, model: LanguageModel): number {
  const text = model.text(record.word);
  const bestOf = new Map<string, number>();
  for (let frame = record.lastFrame - RIVAL_FRAMES; frame <= record.lastFrame + RIVAL_FRAMES; frame++) {
    for (const rival of endedAt[frame] ?? []) {
      if (Math.abs(rival.startFrame - record.startFrame) > RIVAL_FRAMES) continue;
      const rivalText = model.text(rival.word);
      // Compare paths at the end of their word; the remaining frames of the last phone cost both
      // the same.
      if (rival.score > (bestOf.get(rivalText) ?? -Infinity)) bestOf.set(rivalText, rival.score);
    }
  }
  const bestScore = Math.max(bestOf.get(text) ?? -Infinity, record.score);
  let total = 1;
  for (const [rival, score] of bestOf) if (rival !== text) total += Math.exp(score - bestScore);
  return 1 / total;
}

function wordConfidence(share: number, phones: readonly AlignedPhone[]): number {
  const bounded = Math.min(Math.max(share, 1e-4), 1 - 1e-4);
  const meanLogp = phones.reduce((sum, { logp }) => sum + Math.max(logp, -6), 0) / Math.max(1, phones.length);
  const logOdds =
    CALIBRATION.offset +
    CALIBRATION.shareLogOdds * Math.log(bounded / (1 - bounded)) +
    CALIBRATION.phoneLogp * (phones.length === 0 ? -6 : meanLogp);
  return 1 / (1 + Math.exp(-logOdds));
}

type RecognizedPhone = { column: number; startFrame: number; endFrame: number; logp: number };

/** Returns the likeliest symbol of every frame, without repetitions and blanks. */
function likeliestPhones(posteriors: Posteriors, labels: AcousticLabels): DecodedSyllable[] {
  const width = symbolCount(labels);
  const recognized: RecognizedPhone[] = [];
  let previous = 0;
  for (let frame = 0; frame < posteriors.frameCount; frame++) {
    let column = 0;
    let logp = posteriors.symbolLogp[frame * width] ?? -Infinity;
    for (let candidate = 1; candidate < width; candidate++) {
      const value = posteriors.symbolLogp[frame * width + candidate] ?? -Infinity;
      if (value > logp) [column, logp] = [candidate, value];
    }
    const last = recognized.at(-1);
    if (column > 0 && column === previous && last !== undefined) {
      last.endFrame = frame + 1;
      last.logp = Math.max(last.logp, logp);
    } else if (column > 0) {
      recognized.push({ column, startFrame: frame, endFrame: frame + 1, logp });
    }
    previous = column;
  }
  const times = frameTimes(recognized, labels.frameMs, posteriors.frameCount, TAIL_FRAMES);
  return recognized.map(({ column, logp }, index) => {
    const phone = labels.phones[column - 1] ?? '';
    return {
      reading: phone,
      onset: '',
      rime: phone,
      tone: null,
      startMs: times[index]?.startMs ?? 0,
      endMs: times[index]?.endMs ?? 0,
      confidence: Math.min(1, Math.exp(logp)),
      toneConfidence: null,
    };
  });
}
