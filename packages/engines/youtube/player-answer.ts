import { z } from 'zod';
import type { CaptionTrack } from '@jyutsing/contracts/captions';
import { Obstacle } from './platform-error.ts';

/** A track and the link of its captions. */
export type LinkedTrack = CaptionTrack & { link: string };

/** A stream of sound without pictures. */
export type SoundFormat = {
  link: string;
  /** `audio/mp4`. */
  mimeType: string;
  bitrate: number;
  /** Null: not told. */
  sizeBytes: number | null;
  /** Spoken as it was recorded, rather than dubbed. */
  isOriginal: boolean;
};

/** A video that a road may play. */
export type PlayedVideo = {
  title: string | null;
  tracks: LinkedTrack[];
  sounds: SoundFormat[];
  /** Null: not told, or still going on. */
  durationMs: number | null;
};

/** A number, which the platform often writes as a text. */
const Count = z.union([z.number(), z.string().regex(/^\d+$/)]).transform(Number);
const Text = z.union([
  z.object({ simpleText: z.string() }).transform(({ simpleText }) => simpleText),
  z
    .object({ runs: z.array(z.object({ text: z.string() })) })
    .transform(({ runs }) => runs.map(({ text }) => text).join('')),
]);

/** Titles have 100 characters at most. */
const MAX_TEXT_CHARS = 500;
/** A reason is a sentence or two. */
const MAX_REASON_CHARS = 2_000;
/** The platform lists fewer than two hundred languages. */
const MAX_TRACKS = 1_000;

const Track = z.object({
  baseUrl: z.string().min(1),
  name: Text.optional().catch(undefined),
  vssId: z.string().optional().catch(undefined),
  languageCode: z.string().regex(/^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$/),
  kind: z.string().optional().catch(undefined),
});

const Format = z.object({
  url: z.string().min(1),
  mimeType: z.string(),
  bitrate: z.number().catch(0),
  contentLength: Count.nullable().default(null).catch(null),
  isDrc: z.boolean().default(false).catch(false),
  audioTrack: z
    .object({ audioIsDefault: z.boolean().optional(), displayName: z.string().optional() })
    .optional()
    .catch(undefined),
});

const Answer = z.object({
  playabilityStatus: z
    .object({
      status: z.string(),
      reason: z.string().optional().catch(undefined),
      messages: z.array(z.string()).optional().catch(undefined),
      errorScreen: z
        .object({ playerErrorMessageRenderer: z.object({ subreason: Text }) })
        .optional()
        .catch(undefined),
    })
    .optional(),
  videoDetails: z
    .object({
      videoId: z.string().optional(),
      title: z.string().optional().catch(undefined),
      lengthSeconds: Count.optional().catch(undefined),
      isLive: z.boolean().optional().catch(undefined),
    })
    .optional(),
  captions: z
    .object({ playerCaptionsTracklistRenderer: z.object({ captionTracks: z.array(z.unknown()).default([]) }) })
    .optional(),
  streamingData: z
    .object({ adaptiveFormats: z.array(z.unknown()).default([]).catch([]) })
    .optional()
    .catch(undefined),
});

type Playability = NonNullable<z.infer<typeof Answer>['playabilityStatus']>;

/**
 * What `/youtubei/v1/player` answered about a video, as data. Throws `Obstacle` where it is not played, or where the answer is about another video, which
 * the platform sends to those whom it does not trust.
 */
export function readPlayerAnswer(answer: unknown, videoId: string): PlayedVideo {
  const parsed = Answer.safeParse(answer);
  if (!parsed.success) throw new Obstacle('JSON of another kind');
  const { playabilityStatus, videoDetails, captions, streamingData } = parsed.data;
  if (playabilityStatus !== undefined && playabilityStatus.status !== 'OK') throw notPlayed(playabilityStatus);
  const { videoId: playedId, title = '', lengthSeconds = 0, isLive = false } = videoDetails ?? {};
  if (playedId !== undefined && playedId !== videoId) throw new Obstacle('the answer is about another video');
  const tracks = (captions?.playerCaptionsTracklistRenderer.captionTracks ?? [])
    .slice(0, MAX_TRACKS)
    .flatMap(readTrack);
  // Gateways shorten answers. Tracks speak for themselves; that there are none is believed only of a video that is said to be played.
  const isWhole = playabilityStatus !== undefined && videoDetails !== undefined;
  if (tracks.length === 0 && !isWhole) throw new Obstacle('JSON of another kind');
  return {
    title: cleanText(title) || null,
    tracks,
    sounds: (streamingData?.adaptiveFormats ?? []).flatMap(readSound),
    durationMs: isLive || lengthSeconds === 0 ? null : lengthSeconds * 1_000,
  };
}

/** As people see a language, without the mark of automatic captions. */
export function nameTrack(name: string, languageCode: string): string {
  return cleanText(name).replace(/\s*\(auto-generated\)$/i, '') || languageName(languageCode);
}

/** One line without control characters, which would end in logs and terminals, and of a length that a page can show. */
export function cleanText(text: string): string {
  return text
    .slice(0, MAX_TEXT_CHARS)
    .toWellFormed()
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replaceAll(/[\p{Bidi_Control}\p{Noncharacter_Code_Point}]/gu, '')
    .trim();
}

function readTrack(track: unknown): LinkedTrack[] {
  const parsed = Track.safeParse(track);
  // One odd track must not hide the others.
  if (!parsed.success) return [];
  const { baseUrl, name = '', vssId = '', languageCode, kind } = parsed.data;
  const autoGenerated = kind === 'asr' || vssId.startsWith('a.');
  return [{ name: nameTrack(name, languageCode), languageCode, autoGenerated, link: baseUrl }];
}

function readSound(format: unknown): SoundFormat[] {
  const parsed = Format.safeParse(format);
  if (!parsed.success || !parsed.data.mimeType.startsWith('audio/')) return [];
  const { url, mimeType, bitrate, contentLength, isDrc, audioTrack } = parsed.data;
  // Sound with its loudness evened out lies beside the one that was uploaded.
  if (isDrc) return [];
  const isOriginal =
    audioTrack === undefined || audioTrack.audioIsDefault === true || /original/i.test(audioTrack.displayName ?? '');
  return [{ link: url, mimeType: mimeType.split(';')[0] ?? '', bitrate, sizeBytes: contentLength, isOriginal }];
}

/** The short style has `Chinese (Hong Kong)`, as the platform writes it, in place of `… (Hong Kong SAR China)`. */
function languageName(code: string): string {
  try {
    return new Intl.DisplayNames(['en'], { type: 'language', style: 'short' }).of(code) ?? code;
  } catch {
    return code;
  }
}

const PRIVATE = /\bprivate\b/i;
const GONE =
  /video (?:is )?(?:unavailable|not available|no longer available)|isn't available any ?more|(?:been )?removed|does(?: not|n't) exist|account .*terminated/i;
/** Said of the one who asks, or of the app: others may be served. */
const NOT_FOR_US = /try again|this app|(?:your|this) country|latest version|update/i;

/** The platform's own words are matched, but not repeated: they may hold names of people. */
function notPlayed({ status, reason = '', messages = [], errorScreen }: Playability): Obstacle {
  const more = errorScreen?.playerErrorMessageRenderer.subreason ?? '';
  const said = [reason, more, ...messages].join(' ');
  const plain = said.slice(0, MAX_REASON_CHARS).replaceAll('’', "'");
  const known = status.replaceAll(/[^A-Z_]/g, '').slice(0, 40) || 'not played';
  if (/not a bot/i.test(plain)) return new Obstacle('asked to prove that it is not a bot');
  if (PRIVATE.test(plain)) return new Obstacle('private video', { isFinal: true });
  if (status === 'LIVE_STREAM_OFFLINE') return new Obstacle('has not begun yet', { isFinal: true });
  if (NOT_FOR_US.test(plain)) return new Obstacle(`${known}, not for this client or place`);
  if (status === 'ERROR' && GONE.test(plain)) return new Obstacle('video unavailable', { isFinal: true });
  if (status === 'LOGIN_REQUIRED') return new Obstacle(/\bage\b/i.test(plain) ? 'age-restricted' : 'sign-in demanded');
  return new Obstacle(known);
}
