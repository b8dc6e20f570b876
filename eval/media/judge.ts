import { AppError } from '@jyutsing/contracts/errors';
import type { Sound } from '#testbed/sound/audio.ts';
import { findSentences } from '#testbed/sound/timed-sentences.ts';
import { decodeByOther, RATE_HZ, type Decoded } from './decode.ts';
import {
  DURATION_MS,
  later,
  SENTENCES,
  type Expected,
  type Heard,
  type Refused,
  type Right,
  type Whole,
} from './row.ts';

/** How far a sentence, or the end, may be from where it belongs. */
const TOLERANCE_MS = 20;
/** Delays of codecs that no header states, by which a second implementation may be late. */
const CODEC_DELAY_MS = 60;
/** Encoders fill the last frame, and not every container says by how much. */
const PADDING_MS = 100;

/**
 * The expected and the seen values as texts, and what is wrong with it; `right` is what the
 * service must find, null where it was refused, and `other` the sound that another program finds.
 */
export type Verdict = {
  expected: string;
  seen: string;
  problems: readonly string[];
  right: Right | null;
  other: Sound | null;
};

type Measured = { heard: readonly Heard[]; durationMs: number; samples: Float32Array };

/**
 * Compares what became of a file with how it was made, and with what another program finds in it;
 * to agree with one of them is right. Where these two disagree, the row itself is wrong.
 */
export async function judge(
  path: string,
  expected: Expected,
  decoded: Decoded | AppError,
  original: Sound,
): Promise<Verdict> {
  if ('codes' in expected) return judgeRefusal(expected, decoded);
  const made = howItWasMade(expected);
  const reference = await measureReference(path, expected, original);
  const doubts = reference === null ? [] : disagreements(reference, made);
  const right = whatIsRight(expected, made, reference);
  const sound = `${described(right)}${noticeOf(right.isCutOff)}`;
  if (decoded instanceof AppError) {
    const isRight = expected.orSays?.test(decoded.message) === true && decoded.code === 'unsupported_audio_format';
    const seen = `${decoded.code}: ${decoded.message}`;
    const problems = [...doubts, ...(isRight ? [] : ['refused'])];
    return { expected: `${sound}${orRefused(expected)}`, seen, problems, right: null, other: null };
  }
  const measured = measure(decoded.samples, original);
  const { toleranceMs = TOLERANCE_MS } = expected;
  const endToleranceMs = made.durationMs === null ? PADDING_MS : TOLERANCE_MS;
  const problems = [
    ...doubts,
    ...fewest(
      differences(measured.heard, made.heard, toleranceMs),
      differences(measured.heard, reference?.heard ?? null, made.heard === null ? toleranceMs : TOLERANCE_MS),
    ),
    ...fewest(
      difference('the end', measured.durationMs, made.durationMs, reference === null ? PADDING_MS : toleranceMs),
      difference('the end', measured.durationMs, reference?.durationMs ?? null, endToleranceMs),
    ),
    ...(difference('the charge', decoded.chargedMs, right.chargedMs || measured.durationMs, PADDING_MS) ?? []),
    ...(decoded.isCutOff === right.isCutOff
      ? []
      : [right.isCutOff ? 'no notice that it is cut off' : 'called cut off']),
  ];
  return {
    expected: sound,
    seen: `${described(measured)}${noticeOf(decoded.isCutOff)}`,
    problems,
    right,
    other: soundOf(reference),
  };
}

function whatIsRight(
  { durationMs: statedMs, chargedMs, isCutOff = false }: Whole,
  made: ReturnType<typeof howItWasMade>,
  reference: Measured | null,
): Right {
  const heard = made.heard ?? reference?.heard ?? [];
  const durationMs = made.durationMs ?? reference?.durationMs ?? 0;
  return { heard, durationMs, chargedMs: chargedMs ?? (statedMs === undefined ? DURATION_MS : durationMs), isCutOff };
}

/** Reads what is known from how the file was made; null where only a decoder can tell. */
function howItWasMade({ heard, durationMs }: Whole) {
  return {
    heard: heard === 'as the second implementation' ? null : (heard ?? later(0)),
    durationMs: durationMs === undefined ? DURATION_MS : durationMs,
  };
}

function disagreements(reference: Measured, made: ReturnType<typeof howItWasMade>): string[] {
  const doubts = [
    ...(differences(reference.heard, made.heard, CODEC_DELAY_MS) ?? []),
    ...(difference('the end', reference.durationMs, made.durationMs, 2 * PADDING_MS) ?? []),
    ...(reference.heard.length === 0 ? ['no sentence'] : []),
  ];
  return doubts.map((doubt) => `second implementation: ${doubt}`);
}

function fewest(one: string[] | null, two: string[] | null): string[] {
  if (one === null || two === null) return one ?? two ?? [];
  return one.length <= two.length ? one : two;
}

function noticeOf(isCutOff: boolean): string {
  return isCutOff ? ', cut off' : '';
}

function orRefused({ orSays }: Whole): string {
  return orSays === undefined ? '' : `, or a refusal with ${String(orSays)}`;
}

function judgeRefusal({ codes, says }: Refused, decoded: Decoded | AppError): Verdict {
  const expected = `${codes.join(' or ')}: ${String(says)}`;
  const none = { right: null, other: null };
  if (!(decoded instanceof AppError)) return { expected, seen: 'sound', problems: ['not refused'], ...none };
  const isRight = codes.includes(decoded.code) && says.test(decoded.message);
  const seen = `${decoded.code}: ${decoded.message}`;
  return { expected, seen, problems: isRight ? [] : ['another error'], ...none };
}

async function measureReference(
  path: string,
  { reference = 'ffmpeg' }: Whole,
  original: Sound,
): Promise<Measured | null> {
  if (typeof reference === 'object') return null;
  return measure(await decodeByOther(reference, path), original);
}

function measure(samples: Float32Array, original: Sound): Measured {
  const found = findSentences(samples, { original, sentences: SENTENCES });
  return {
    heard: found.map(({ sentence, startMs }) => [sentence, startMs]),
    durationMs: (samples.length * 1_000) / RATE_HZ,
    samples,
  };
}

function soundOf(reference: Measured | null): Sound | null {
  return reference === null ? null : { sampleRateHz: RATE_HZ, channels: [reference.samples] };
}

function numbers(heard: readonly Heard[]): string {
  return heard.map(([sentence]) => sentence + 1).join(' ');
}

/** Compares sentences and their times; null where nothing is known about them. */
function differences(seen: readonly Heard[], right: readonly Heard[] | null, toleranceMs: number): string[] | null {
  if (right === null) return null;
  if (numbers(seen) !== numbers(right)) return [`sentences ${numbers(seen) || 'none'} instead of ${numbers(right)}`];
  return seen.flatMap(
    ([sentence, startMs], index) =>
      difference(`sentence ${sentence + 1}`, startMs, right[index]![1], toleranceMs) ?? [],
  );
}

function difference(what: string, seenMs: number, rightMs: number | null, toleranceMs: number): string[] | null {
  if (rightMs === null) return null;
  const byMs = Math.round(seenMs - rightMs);
  if (Math.abs(byMs) <= toleranceMs) return [];
  return [`${what} ${Math.abs(byMs)} ms ${byMs > 0 ? 'late' : 'early'}`];
}

function described({ heard, durationMs }: Omit<Measured, 'samples'>): string {
  const times = heard.map(([sentence, startMs]) => `${sentence + 1}@${(startMs / 1_000).toFixed(2)}`);
  return `${times.join(' ') || 'nothing'} of ${(durationMs / 1_000).toFixed(2)} s`;
}
