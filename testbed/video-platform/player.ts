import { lengthOf } from './cues.ts';
import { sentencesOf, type Playability, type Track, type Video } from './videos.ts';
import type { Client } from './clients.ts';
import type { SoundFile } from './sound.ts';

/** Targets of the links in a response. */
export type Links = {
  captions: string;
  sound: string;
  /** A server that must never get requests. */
  other: string;
  /** Expiry of the links in seconds since 1970. */
  expireAtSeconds: number;
};

type Verdict = { status: string; reason: string; subreason?: string; messages?: string[]; isPlayable?: boolean };

const VERDICTS: Record<Exclude<Playability, 'ok'>, Verdict> = {
  'bot-check': { status: 'LOGIN_REQUIRED', reason: 'Sign in to confirm you’re not a bot' },
  private: {
    status: 'LOGIN_REQUIRED',
    reason: 'This video is private',
    messages: ['This is a private video. Please sign in to verify that you may see it.'],
  },
  'age-restricted': {
    status: 'LOGIN_REQUIRED',
    reason: 'Sign in to confirm your age',
    subreason: 'This video may be inappropriate for some users.',
  },
  unavailable: { status: 'ERROR', reason: 'Video unavailable', subreason: 'This video isn’t available anymore' },
  removed: {
    status: 'ERROR',
    reason: 'Video unavailable',
    subreason: 'This video has been removed for violating the Terms of Service',
  },
  region: {
    status: 'UNPLAYABLE',
    reason: 'Video unavailable',
    subreason: 'The uploader has not made this video available in your country',
  },
  'members-only': {
    status: 'UNPLAYABLE',
    reason: 'Join this channel to get access to members-only content like this video, and other exclusive perks.',
  },
  offline: { status: 'LIVE_STREAM_OFFLINE', reason: 'This live event will begin in 3 hours.' },
  'please-update': { status: 'ERROR', reason: 'The following content is not available on this app.. Please update' },
};

/** Without this signature, captions are empty. */
export const SIGNATURE = '4F1C0DE0AB.7A11ED0FACE';

/** The `player` response for a client. `sound` is empty for videos without sound. */
export function playerAnswer(video: Video, client: Client, links: Links, sound: readonly SoundFile[]): object {
  const verdict = verdictOn(video, client);
  const common = { responseContext: responseContext(), trackingParams: 'CAAQu2kiEwiZ' };
  if (verdict !== null) return { ...common, ...refusal(video, verdict) };
  const lengthMs = video.soundClaims?.durationMs ?? sound[0]?.durationMs ?? lengthOf(longest(video));
  return {
    ...common,
    playabilityStatus: { status: 'OK', playableInEmbed: true, contextParams: 'Q0FFU0FnZ0I=' },
    streamingData: streamingData(video, client, links, sound),
    ...(video.tracks === null ? {} : { captions: captions(video, video.tracks, client, links) }),
    videoDetails: videoDetails(video, lengthMs),
    playerConfig: { audioConfig: { loudnessDb: -2.1, enablePerFormatLoudness: true } },
  };
}

/** The response for an unknown video. */
export function unknownVideo(videoId: string): object {
  return {
    responseContext: responseContext(),
    playabilityStatus: {
      status: 'ERROR',
      reason: 'This video is unavailable',
      errorScreen: errorScreen('Video unavailable'),
    },
    videoDetails: { videoId },
  };
}

/** The response for an outdated app. */
export function updateAnswer(): object {
  return { responseContext: responseContext(), playabilityStatus: VERDICTS['please-update'] };
}

function verdictOn(video: Video, client: Client): Verdict | null {
  const { playability = 'ok', playabilityFor } = video;
  if (playability === 'ok' || (playabilityFor !== undefined && !playabilityFor.includes(client.name))) return null;
  return VERDICTS[playability];
}

function refusal(video: Video, verdict: Verdict): object {
  const { reason, subreason } = verdict;
  return {
    playabilityStatus: { ...verdict, errorScreen: errorScreen(reason, subreason), contextParams: 'Q0FFU0FnZ0I=' },
    // Missing and private videos have no details.
    ...(verdict.status === 'ERROR' || video.playability === 'private'
      ? {}
      : { videoDetails: videoDetails(video, lengthOf(longest(video))) }),
  };
}

function errorScreen(reason: string, subreason?: string): object {
  return {
    playerErrorMessageRenderer: {
      reason: { simpleText: reason },
      ...(subreason === undefined ? {} : { subreason: { simpleText: subreason } }),
      thumbnail: { thumbnails: [{ url: '//s.ytimg.com/yts/img/meh7.png', width: 140, height: 100 }] },
      icon: { iconType: 'ERROR_OUTLINE' },
    },
  };
}

function captions(video: Video, tracks: readonly Track[], client: Client, links: Links): object {
  return {
    playerCaptionsTracklistRenderer: {
      captionTracks: tracks.map((track, index) => captionTrack(video, track, index, client, links)),
      audioTracks: [{ captionTrackIndices: tracks.map((_, index) => index), visibility: 'UNKNOWN' }],
      translationLanguages: [
        { languageCode: 'en', languageName: text('English', client) },
        { languageCode: 'ja', languageName: text('Japanese', client) },
        { languageCode: 'yue', languageName: text('Cantonese', client) },
      ],
      defaultAudioTrackIndex: 0,
    },
  };
}

function captionTrack(video: Video, track: Track, index: number, client: Client, links: Links): object {
  const code = track.languageCode;
  const label = track.label === undefined ? '' : `.${track.label}`;
  return {
    baseUrl: track.link?.replace('{other}', links.other) ?? captionLink(video, track, index, client, links),
    ...(track.name === null ? {} : { name: text(track.name, client) }),
    vssId: `${track.isAutomatic ? 'a' : ''}.${code ?? ''}${label}`,
    ...(code === null ? {} : { languageCode: code }),
    ...(track.isAutomatic ? { kind: 'asr' } : {}),
    isTranslatable: true,
    trackName: track.label ?? '',
  };
}

/** Links for apps already contain `fmt=srv3`; a second `fmt` has no effect. */
function captionLink(video: Video, track: Track, index: number, client: Client, links: Links): string {
  const parameters = new URLSearchParams({
    v: video.id,
    ei: 'uYQfaZ3pHs6Y2roP8-3p4QY',
    caps: 'asr',
    opi: '112496729',
    ...(client.isWeb ? { exp: 'xpe' } : {}),
    xoaf: '5',
    xosf: '1',
    hl: 'en',
    ip: '0.0.0.0',
    ipbits: '0',
    expire: String(links.expireAtSeconds),
    sparams: `ip,ipbits,expire,v,ei,caps,opi${client.isWeb ? ',exp' : ''},xoaf`,
    signature: SIGNATURE,
    key: 'yt8',
    ...(track.isAutomatic ? { kind: 'asr' } : {}),
    ...(track.languageCode === null ? {} : { lang: track.languageCode }),
    ...(track.label === undefined ? {} : { name: track.label }),
    ...(client.isApp ? { fmt: 'srv3' } : {}),
    // The platform has no such parameter; it distinguishes tracks of the same name.
    track: String(index),
  });
  return `${links.captions}/api/timedtext?${parameters}`;
}

function streamingData(video: Video, client: Client, links: Links, sound: readonly SoundFile[]): object {
  const { durationMs, sizeBytes } = video.soundClaims ?? {};
  const formats = sound.map((file) => ({
    itag: file.itag,
    ...(client.isWeb ? {} : { url: soundLink(video, client, links, file) }),
    mimeType: file.mimeType,
    bitrate: Math.round((file.bytes.length * 8_000) / file.durationMs),
    lastModified: '1762900000000000',
    contentLength: String(sizeBytes ?? file.bytes.length),
    quality: 'tiny',
    projectionType: 'RECTANGULAR',
    averageBitrate: Math.round((file.bytes.length * 8_000) / file.durationMs),
    audioQuality: 'AUDIO_QUALITY_MEDIUM',
    approxDurationMs: String(Math.round(durationMs ?? file.durationMs)),
    audioSampleRate: String(file.sampleRateHz),
    audioChannels: file.channels,
    loudnessDb: -2.1,
  }));
  return {
    expiresInSeconds: '21540',
    adaptiveFormats: formats,
    ...(client.isWeb ? { serverAbrStreamingUrl: `${links.sound}/videoplayback?sabr=1&id=${video.id}` } : {}),
  };
}

function soundLink(video: Video, client: Client, links: Links, file: SoundFile): string {
  if (video.soundLink !== undefined) return video.soundLink.replace('{other}', links.other);
  const parameters = new URLSearchParams({
    expire: String(links.expireAtSeconds),
    ei: 'uYQfaZ3pHs6Y2roP8-3p4QY',
    ip: '0.0.0.0',
    id: video.id,
    itag: String(file.itag),
    source: 'youtube',
    requiressl: 'yes',
    mime: file.mimeType.split(';')[0] ?? '',
    clen: String(file.bytes.length),
    dur: (file.durationMs / 1_000).toFixed(3),
    c: client.name,
    sig: SIGNATURE,
  });
  return `${links.sound}/videoplayback?${parameters}`;
}

function videoDetails(video: Video, lengthMs: number): object {
  return {
    videoId: video.claimsId ?? video.id,
    ...(video.title === null ? {} : { title: video.title }),
    lengthSeconds: String(Math.round(lengthMs / 1_000)),
    keywords: ['talk'],
    channelId: 'UCinventedChannel0000000',
    isOwnerViewing: false,
    shortDescription: 'An invented talk.\n\nhttps://example.com/notes',
    isCrawlable: true,
    thumbnail: { thumbnails: [{ url: `https://i.ytimg.com/vi/${video.id}/default.jpg`, width: 120, height: 90 }] },
    allowRatings: true,
    viewCount: '4711',
    author: 'Invented Talks',
    isPrivate: false,
    isUnpluggedCorpus: false,
    isLiveContent: false,
  };
}

function responseContext(): object {
  return { visitorData: 'CgtpbnZlbnRlZDEyMyi5', serviceTrackingParams: [{ service: 'GFEEDBACK', params: [] }] };
}

function text(content: string, client: Client): object {
  return client.isApp ? { runs: [{ text: content }] } : { simpleText: content };
}

function longest(video: Video): readonly string[] {
  return (video.tracks ?? []).map(sentencesOf).toSorted((a, b) => b.length - a.length)[0] ?? [];
}
