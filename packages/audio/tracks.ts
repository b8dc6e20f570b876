import {
  AV_DISPOSITION_CLEAN_EFFECTS,
  AV_DISPOSITION_COMMENT,
  AV_DISPOSITION_DEFAULT,
  AV_DISPOSITION_DESCRIPTIONS,
  AV_DISPOSITION_DUB,
  AV_DISPOSITION_KARAOKE,
  AV_DISPOSITION_ORIGINAL,
  AV_DISPOSITION_VISUAL_IMPAIRED,
  AVMEDIA_TYPE_AUDIO,
} from 'node-av/constants';
import { avGetCodecName, type FormatContext, type Stream } from 'node-av/lib';
import type { AudioContainer, SoundTrack } from '@jyutsing/contracts/audio';
import { isAccepted } from './formats.ts';

/** One sound track of a file, as the header describes it. */
export type Track = Omit<SoundTrack, 'isUsed'> & {
  stream: Stream;
  sampleRateHz: number;
  isAccepted: boolean;
  isDefault: boolean;
  /** True for a track that is played together with others that are so (ISO 14496-12, tkhd). */
  isEnabled: boolean;
  /** True for what is beside the main sound: comments, descriptions of the picture, effects. */
  isExtra: boolean;
  /** Flags that say whether it is the original or a dub; 0 where the file does not tell. */
  versions: number;
  /** The duration by the header, else by its tag; null when neither tells. */
  durationMs: number | null;
};

/** Upper limit for the channel count; a damaged header may claim thousands. */
const MAX_CHANNELS = 64;
const MIN_SAMPLE_RATE_HZ = 1_000;
const MAX_SAMPLE_RATE_HZ = 768_000;

const EXTRA_FLAGS =
  AV_DISPOSITION_COMMENT |
  AV_DISPOSITION_KARAOKE |
  AV_DISPOSITION_VISUAL_IMPAIRED |
  AV_DISPOSITION_CLEAN_EFFECTS |
  AV_DISPOSITION_DESCRIPTIONS;
const EXTRA_TITLE = /comment|descri|karaoke|effects|m ?& ?e\b|旁述|評論|评论|口述|伴奏|卡拉/i;
/** Titles of versions of one sound, where people with a microphone each are not named so. */
const VERSION_TITLE =
  /original|dub|cantonese|mandarin|chinese|english|japanese|korean|french|german|spanish|粵|粤|廣東話|广东话|普通話|普通话|[國国漢汉華华英日韓韩法德][語语]|[中英日韓韩法德]文|原聲|原声|配音|^(yue|can|cmn|chi|zho?|eng?|jpn?|ja|kor?|fre|fra?|ger|deu?|spa?|es)([-_ ].*)?$/i;

/** Describes the sound tracks of an open file in their order. */
export function tracksOf(context: FormatContext, container: AudioContainer): Track[] {
  const streams = context.streams.filter(({ codecpar }) => codecpar.codecType === AVMEDIA_TYPE_AUDIO);
  return streams.map((stream) => {
    const { codecpar, metadata, disposition, duration, timeBase } = stream;
    const codec = codecNameOf(stream);
    const { channels, sampleRate: sampleRateHz } = codecpar;
    const isPlausible =
      channels >= 1 &&
      channels <= MAX_CHANNELS &&
      sampleRateHz >= MIN_SAMPLE_RATE_HZ &&
      sampleRateHz <= MAX_SAMPLE_RATE_HZ;
    const language = metadata?.get('language')?.toLowerCase() ?? 'und';
    // FFmpeg calls the title of an MP4 track its name.
    const title = metadata?.get('title') ?? metadata?.get('name') ?? null;
    return {
      stream,
      codec,
      channels,
      sampleRateHz,
      language: language === 'und' ? null : language,
      title,
      isAccepted: isAccepted(container, codec) && isPlausible,
      isDefault: (disposition & AV_DISPOSITION_DEFAULT) !== 0,
      isEnabled: container === 'm4a' && (disposition & AV_DISPOSITION_DEFAULT) !== 0,
      isExtra: (disposition & EXTRA_FLAGS) !== 0 || (title !== null && EXTRA_TITLE.test(title)),
      versions: disposition & (AV_DISPOSITION_DUB | AV_DISPOSITION_ORIGINAL),
      durationMs:
        duration > 0n
          ? (Number(duration) * 1_000 * timeBase.num) / timeBase.den
          : parseDurationMs(metadata?.get('DURATION') ?? ''),
    };
  });
}

/** Reads the duration of a Matroska track from its tag, such as `00:59:59.120000000`. */
function parseDurationMs(tag: string): number | null {
  const [, hours, minutes, seconds] = /^(\d+):(\d\d):(\d\d\.\d+)$/.exec(tag) ?? [];
  if (seconds === undefined) return null;
  return (Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds)) * 1_000;
}

/** Describes a track for people. */
export function describeTrack({ codec, channels, language, title }: Track, isUsed: boolean): SoundTrack {
  return { codec, channels, language, title, isUsed };
}

/** Returns the name of the codec of a stream; `none` for one that the library does not know. */
export function codecNameOf(stream: Stream | undefined): string {
  return stream === undefined ? 'none' : String(avGetCodecName(stream.codecpar.codecId) ?? 'none');
}

/** Codecs of films, which often have a smaller track with the same words beside them. */
const FILM_CODECS = ['dts', 'truehd', 'mlp'];

/**
 * Selects the tracks to decode; none when no codec is accepted. Those whose numbers are in `silent`
 * give way if there is another, but the first of them is mixed with it: it may have sound later.
 * As in a player, the track that the file marks as its default, or else the first; one in the same
 * language whose codec is accepted
 * takes its place where its own is not. When it is mono, all like it are selected: people with a
 * microphone each; so are tracks that an MP4 file enables together under titles that differ, as
 * recorders of a screen do with the sound of programs and the microphone; without titles they may
 * be languages. Another codec, language or length, and titles that name a language or a version,
 * mean another version of the same sound.
 */
export function selectTracks(all: readonly Track[], silent: readonly number[] = []): Track[] {
  const audible = all.filter((_, number) => !silent.includes(number));
  const tracks = audible.some((track) => track.isAccepted) ? audible : all;
  const mains = tracks.filter(({ isExtra }) => !isExtra);
  const candidates = mains.some((track) => track.isAccepted) ? mains : tracks;
  const mainTrack = candidates.find(({ isDefault }) => isDefault) ?? candidates[0];
  const accepted = candidates.filter((track) => track.isAccepted);
  const rank = (track: Track) =>
    (track.language === mainTrack?.language ? 4 : 0) +
    (FILM_CODECS.includes(track.codec) ? 0 : 2) +
    (track.isDefault ? 1 : 0);
  const best = accepted.toSorted((a, b) => rank(b) - rank(a))[0];
  if (best === undefined) return [];
  const first = silent.length > 0 ? all[silent[0]!] : undefined;
  return [
    ...accepted.filter((track) => track === best || isAnotherMicrophone(track, best)),
    ...(first === undefined || tracks.includes(first) ? [] : [first]),
  ];
}

const LENGTH_TOLERANCE_MS = 1_000;
const LENGTH_TOLERANCE_SHARE = 0.01;

function isAnotherMicrophone(track: Track, best: Track): boolean {
  const [a, b] = [track.durationMs ?? 0, best.durationMs ?? 0];
  const isAsLong = Math.abs(a - b) <= LENGTH_TOLERANCE_MS + LENGTH_TOLERANCE_SHARE * b;
  const isVersion = [track, best].some(({ title }) => title !== null && VERSION_TITLE.test(title));
  const isMono = track.channels === 1 && best.channels === 1;
  const isTitled = track.title !== null && best.title !== null && track.title !== best.title;
  const isTogether = track.isEnabled && best.isEnabled && (isMono || isTitled);
  return (
    ((isMono && track.codec === best.codec) || isTogether) &&
    track.language === best.language &&
    track.versions === best.versions &&
    isAsLong &&
    !isVersion
  );
}
