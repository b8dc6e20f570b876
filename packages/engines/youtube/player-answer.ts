import { z } from 'zod';
import type { CaptionTrack } from '@jyutsing/contracts/captions';
import { PlatformError } from './platform-error.ts';

/** A track with the link to its captions. */
export type LinkedTrack = CaptionTrack & { link: string };

/** An audio-only stream. */
export type SoundFormat = {
  link: string;
  /** Media type such as `audio/mp4`. */
  mimeType: string;
  bitrate: number;
  /** Size in bytes; null when unknown. */
  sizeBytes: number | null;
  /** False for a dubbed track. */
  isOriginal: boolean;
};

/** Data of a playable video, as returned by a strategy. */
export type VideoInfo = {
  title: string | null;
  tracks: LinkedTrack[];
  sounds: SoundFormat[];
  /** Duration in milliseconds; null when unknown, or for a live stream. */
  durationMs: number | null;
};

/** Schema of numbers, which the platform often sends as strings. */
const Count = z.union([z.number(), z.string().regex(/^\d+$/)]).transform(Number);
const Text = z.union([
  z.object({ simpleText: z.string() }).transform(({ simpleText }) => simpleText),
  z
    .object({ runs: z.array(z.object({ text: z.string() })) })
    .transform(({ runs }) => runs.map(({ text }) => text).join('')),
]);

/** Longest text in characters; the platform allows 100 for titles. */
const MAX_TEXT_CHARS = 500;
const MAX_REASON_CHARACTERS = 2_000;
/** Largest number of tracks; the platform lists fewer than two hundred languages. */
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
 * Parses the response of `/youtubei/v1/player`. Throws `PlatformError` when the video is not
 * playable or the response describes another video, which the platform sends to clients it
 * distrusts.
 */
export function readPlayerAnswer(answer: unknown, videoId: string): VideoInfo {
  const parsed = Answer.safeParse(answer);
  if (!parsed.success) throw new PlatformError('unexpected JSON');
  const { playabilityStatus, videoDetails, captions, streamingData } = parsed.data;
  if (playabilityStatus !== undefined && playabilityStatus.status !== 'OK') throw notPlayed(playabilityStatus);
  const { videoId: playedId, title = '', lengthSeconds = 0, isLive = false } = videoDetails ?? {};
  if (playedId !== undefined && playedId !== videoId) throw new PlatformError('response for another video');
  const tracks = (captions?.playerCaptionsTracklistRenderer.captionTracks ?? [])
    .slice(0, MAX_TRACKS)
    .flatMap(readTrack);
  // Some responses lack sections. Without tracks, only a complete one proves "no captions".
  const isComplete = playabilityStatus !== undefined && videoDetails !== undefined;
  if (tracks.length === 0 && !isComplete) throw new PlatformError('unexpected JSON');
  return {
    title: cleanText(title) || null,
    tracks,
    sounds: (streamingData?.adaptiveFormats ?? []).flatMap(readSound),
    durationMs: isLive || lengthSeconds === 0 ? null : lengthSeconds * 1_000,
  };
}

/** Returns the display name of a track, without the mark of automatic captions. */
export function nameTrack(name: string, languageCode: string): string {
  return cleanText(name).replace(/\s*\(auto-generated\)$/i, '') || languageName(languageCode);
}

/** Makes one line of limited length, without control characters, which could affect terminals. */
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
  // One malformed track must not hide the others.
  if (!parsed.success) return [];
  const { baseUrl, name = '', vssId = '', languageCode, kind } = parsed.data;
  const autoGenerated = kind === 'asr' || vssId.startsWith('a.');
  return [{ name: nameTrack(name, languageCode), languageCode, autoGenerated, link: baseUrl }];
}

function readSound(format: unknown): SoundFormat[] {
  const parsed = Format.safeParse(format);
  if (!parsed.success || !parsed.data.mimeType.startsWith('audio/')) return [];
  const { url, mimeType, bitrate, contentLength, isDrc, audioTrack } = parsed.data;
  // A stream with dynamic range compression is skipped: the uncompressed stream is listed as well.
  if (isDrc) return [];
  const isOriginal =
    audioTrack === undefined || audioTrack.audioIsDefault === true || /original/i.test(audioTrack.displayName ?? '');
  return [{ link: url, mimeType: mimeType.split(';')[0] ?? '', bitrate, sizeBytes: contentLength, isOriginal }];
}

/**
 * Returns the English name of a language in short style, which is `Chinese (Hong Kong)` like the
 * platform's, and not `… (Hong Kong SAR China)`.
 */
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
/** Matches reasons that concern the region or the client: other clients may succeed. */
const CLIENT_RESTRICTION = /try again|this app|(?:your|this) country|latest version|update/i;

/** Matches the platform's message without repeating it: it may contain names of people. */
function notPlayed({ status, reason = '', messages = [], errorScreen }: Playability): PlatformError {
  const subreason = errorScreen?.playerErrorMessageRenderer.subreason ?? '';
  const message = [reason, subreason, ...messages].join(' ');
  const plain = message.slice(0, MAX_REASON_CHARACTERS).replaceAll('’', "'");
  const statusName = status.replaceAll(/[^A-Z_]/g, '').slice(0, 40) || 'not played';
  if (/not a bot/i.test(plain)) return new PlatformError('bot check');
  if (PRIVATE.test(plain)) return new PlatformError('private video', { isFinal: true });
  if (status === 'LIVE_STREAM_OFFLINE') return new PlatformError('not started yet', { isFinal: true });
  if (CLIENT_RESTRICTION.test(plain)) return new PlatformError(`${statusName}, not available to this client or region`);
  if (status === 'ERROR' && GONE.test(plain)) return new PlatformError('video unavailable', { isFinal: true });
  if (status === 'LOGIN_REQUIRED')
    return new PlatformError(/\bage\b/i.test(plain) ? 'age-restricted' : 'sign-in required');
  return new PlatformError(statusName);
}
