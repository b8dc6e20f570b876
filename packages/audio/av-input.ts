import { AV_LOG_QUIET, AVDISCARD_ALL } from 'node-av/constants';
import { Codec, CodecContext, Dictionary, FormatContext, InputFormat, Log } from 'node-av/lib';
import type { Stream } from 'node-av/lib';
import { resolve } from 'node:path';
import { ACCEPTED_AUDIO, type AudioContainer, type SoundTrack } from '@jyutsing/contracts/audio';
import { AppError } from '@jyutsing/contracts/errors';
import { clockStartOf, declaredEndMs } from './clock-start.ts';
import { identifyContainer, type AcceptedFile } from './container.ts';
import { inspectEnd, UNKNOWN_END, type FileEnd } from './cut-off.ts';
import { COMMON_OPTIONS, FORMATS, isAccepted } from './formats.ts';
import { openFreeFormat } from './free-format.ts';
import { createPacketReader, type PacketReader } from './packet-reader.ts';
import { findOggLink } from './ogg-links.ts';
import { isProtected } from './protection.ts';
import type { ClockStart } from './recording-clock.ts';
import { readSampleLayout } from './sample-layout/read-sample-layout.ts';
import type { SampleLayout } from './sample-layout/sample-layout.ts';
import { widenSamples } from './sample-layout/widen-samples.ts';
import { refuseDenseSound } from './sound-density.ts';
import { codecNameOf, describeTrack, selectTracks, tracksOf, type Track } from './tracks.ts';

// The library logs errors, including file names, to stderr.
Log.setLevel(AV_LOG_QUIET);

/** One audio track of one file, opened for reading packets. Tasks must not share it. */
export type AudioInput = PacketReader & {
  container: AudioContainer;
  codec: string;
  sampleRateHz: number;
  channels: number;
  /**
   * Duration declared by the header, before any estimate; null when absent. For Ogg it comes from
   * the last page.
   */
  declaredDurationMs: number | null;
  clockStart: ClockStart;
  /** Whether the file ends before its structure does. */
  isCutOff: boolean;
  openDecoder(): CodecContext;
  /**
   * Opens what follows a part that could not be read: the next link of a chained Ogg file, which
   * may have another codec or rate. Null: nothing does.
   */
  openNextLink?(): Promise<AudioInput | null>;
  /** All sound tracks of the file. */
  tracks: readonly SoundTrack[];
};

/** Which track of a file is opened. */
type TrackChoice = {
  /** Counts the tracks that are mixed; the first is the best. */
  position?: number;
  /** Numbers of tracks that begin with silence: another is taken, and mixed with the first. */
  silent?: readonly number[];
};

/**
 * Opens a file by its content; of a video only the sound. Throws `unsupported_audio_format`, which
 * names what was found, when it is not an accepted container, has no track with an accepted codec,
 * or has too many samples per second, and `corrupt_audio` when the container does not open.
 */
export async function openAudioInput(path: string, choice: TrackChoice = {}): Promise<AudioInput> {
  const identified = await identifyContainer(path);
  if (identified.container === null) {
    const { found, isSound } = identified;
    throw unsupported(isSound ? `The file is ${found}, which is not accepted` : `The file is not audio but ${found}`);
  }
  const { container, startByte } = identified;
  if (await isProtected(path, container)) throw unsupported('The sound is protected against copying (DRM)');
  // The structure of a part of a file does not end with the file.
  const end = startByte === 0 ? await inspectEnd(path, container) : UNKNOWN_END;
  if (end.lacksIndex) throw new AppError('corrupt_audio', NO_INDEX);
  if (identified.freeFrameBytes !== undefined) return openFreeFormatInput(path, startByte, identified.freeFrameBytes);
  const context = await openContext(path, identified);
  try {
    const input = openTrack(context, container, end, choice);
    return container === 'ogg' ? withLinks(input, path, startByte, choice) : input;
  } catch (thrown) {
    context.closeInputSync();
    throw thrown;
  }
}

/** Adds the other links of a chain; the library reads only those that are like the first. */
function withLinks(input: AudioInput, path: string, startByte: number, choice: TrackChoice): AudioInput {
  let packetByte = 0;
  let next: AudioInput | null = null;
  return {
    ...input,
    hasReadErrors: () => (next ?? input).hasReadErrors(),
    readPacket() {
      const packet = input.readPacket();
      if (packet !== null) packetByte = Number(packet.pos);
      return packet;
    },
    async openNextLink() {
      if (!input.hasReadErrors()) return null;
      const linkByte = await findOggLink(path, startByte + packetByte + 1);
      if (linkByte === null) return null;
      const context = await openContext(path, { container: 'ogg', startByte: linkByte });
      try {
        next = withLinks(openTrack(context, 'ogg', UNKNOWN_END, choice), path, linkByte, choice);
        return next;
      } catch (thrown) {
        context.closeInputSync();
        throw thrown;
      }
    },
  };
}

const NO_INDEX =
  'The recording was not finished: the index of the file (moov, in CAF pakt) is missing or incomplete, and nothing can be found without it. Send a complete copy, or one that a repair tool has restored.';

/** The error for a file of which nothing was decoded. */
export function lackOfSound({ declaredDurationMs, hasReadErrors }: AudioInput): AppError {
  const isDamaged = (declaredDurationMs ?? 0) > 0 || hasReadErrors();
  return new AppError(isDamaged ? 'corrupt_audio' : 'empty_audio');
}

/** Opens a file, or only its samples where the library reads their header differently. */
async function openContext(path: string, { container, startByte }: AcceptedFile): Promise<FormatContext> {
  using options = optionsFor(container);
  // Put an absolute path behind an explicit protocol: a name such as "concat:a|b" must stay a name.
  const url = `file:${resolve(path)}`;
  const context = new FormatContext();
  const soundUrl = startByte === 0 ? url : partOf(url, startByte, 0);
  const isOpen = context.openInputSync(soundUrl, demuxerOf(container), options) >= 0;
  const layout = startByte === 0 ? await readSampleLayout(path, container) : null;
  const codec = isOpen ? codecNameOf(context.streams[0]) : 'none';
  // Another codec was found in the samples: S/PDIF, which looks like bare samples in the header.
  const isCompressed = codec !== 'none' && !codec.startsWith(PCM_PREFIX);
  if (layout !== null && (layout.codec !== codec || layout.isUnfinished === true) && !isCompressed) {
    context.closeInputSync();
    return openSamples(url, layout);
  }
  refuseIf(!isOpen);
  await widenSamples(context.streams, container, path);
  return context;
}

const PCM_PREFIX = 'pcm_';

function openSamples(url: string, layout: SampleLayout): FormatContext {
  const { codec, sampleRateHz, channels, channelMask, startByte, endByte } = layout;
  const demuxer = InputFormat.findInputFormat(codec.slice(PCM_PREFIX.length));
  if (demuxer === null) throw unsupported(`The sound has the codec "${codec}", which is not accepted`);
  using options = Dictionary.fromObject({
    ...COMMON_OPTIONS,
    format_whitelist: demuxer.name ?? '',
    sample_rate: sampleRateHz,
    ch_layout: channelMask === 0 ? `${channels}C` : `0x${channelMask.toString(16)}`,
  });
  const context = new FormatContext();
  refuseIf(context.openInputSync(partOf(url, startByte, endByte), demuxer, options) < 0);
  return context;
}

/** Returns the address of some bytes of a file; 0 as the end means up to the end. */
function partOf(url: string, startByte: number, endByte: number): string {
  return `subfile,,start,${startByte},end,${endByte},,:${url}`;
}

const MAX_READ_ERRORS = 100;

function openTrack(
  context: FormatContext,
  container: AudioContainer,
  { isCutOff, endsInZeros }: FileEnd,
  choice: TrackChoice,
): AudioInput {
  // Read the durations now: the next step replaces an unknown one by a guess from the bit rate.
  const declared = new Map(context.streams.map((stream) => [stream.index, stream.duration]));
  refuseIf(context.findStreamInfoSync(null) < 0);
  const { stream, codec, tracks } = chooseTrack(context, container, choice);
  const { codecpar, timeBase } = stream;
  refuseIf(timeBase.num <= 0 || timeBase.den <= 0);
  if (container === 'm4a' && codec === 'opus') keepFirstOpusPackets(stream);
  const clockStart = clockStartOf(context, stream, { container, codec });
  const declaredTicks = declared.get(stream.index) ?? 0n;
  const reader = createPacketReader(context, stream.index, container === 'ogg' ? 1 : MAX_READ_ERRORS);
  return {
    ...reader,
    container,
    codec,
    sampleRateHz: codecpar.sampleRate,
    channels: codecpar.channels,
    declaredDurationMs: declaredEndMs(declaredTicks, { context, stream, container }, clockStart),
    clockStart,
    // Samples of silence are zeros, packets of a codec are not.
    isCutOff: isCutOff || (endsInZeros && !codec.startsWith(PCM_PREFIX)),
    openDecoder: () => openDecoder(stream),
    tracks,
    close() {
      reader.close();
      context.closeInputSync();
    },
  };
}

function openFreeFormatInput(path: string, startByte: number, frameBytes: number): AudioInput {
  const { durationMs, ...input } = openFreeFormat(path, startByte, frameBytes);
  const { sampleRateHz, channels } = input;
  return {
    ...input,
    container: 'mp3',
    codec: 'mp3',
    declaredDurationMs: durationMs,
    clockStart: { tickMs: 1_000 / sampleRateHz, startMs: 0, priming: { samples: 0 } },
    isCutOff: false,
    hasReadErrors: () => false,
    tracks: [{ codec: 'mp3', channels, language: null, title: null, isUsed: true }],
  };
}

/** The offset of the pre-skip in the identification header of Opus (RFC 7845, section 5.1). */
const OPUS_PRE_SKIP_AT = 10;

/**
 * Sets the pre-skip to 0. In MP4 the edit list says which samples to skip, and FFmpeg obeys it;
 * Chromium's recorder writes none, but states 80 ms in the header of the codec, which FFmpeg 8.1
 * (libavcodec/opus/parse.c) would cut from the sound.
 */
function keepFirstOpusPackets({ codecpar }: Stream): void {
  const { extradata } = codecpar;
  if (extradata === null || extradata.length < OPUS_PRE_SKIP_AT + 2) return;
  const header = Buffer.from(extradata);
  header.writeUInt16LE(0, OPUS_PRE_SKIP_AT);
  codecpar.extradata = header;
}

/**
 * Returns the demuxer of a container. The demuxer is never probed, because playlists, which can
 * name other files, must not be opened.
 */
export function demuxerOf(container: AudioContainer): InputFormat | null {
  return InputFormat.findInputFormat(FORMATS[container].demuxer);
}

/** Returns the limits of a demuxer. Dispose of them after opening. */
export function optionsFor(container: AudioContainer, extraOptions: Record<string, number> = {}): Dictionary {
  return Dictionary.fromObject({ ...COMMON_OPTIONS, ...FORMATS[container].options, ...extraOptions });
}

/** The tracks of a file, of which one is decoded here. */
export type ChosenTrack = {
  stream: Stream;
  codec: string;
  tracks: SoundTrack[];
};

/**
 * Selects a track to decode, by default the best; all others are skipped from now on. Throws the
 * errors of `openAudioInput`.
 */
export function chooseTrack(
  context: FormatContext,
  container: AudioContainer,
  { position = 0, silent = [] }: TrackChoice = {},
): ChosenTrack {
  const tracks = tracksOf(context, container);
  const used = selectTracks(tracks, silent);
  const chosen = used[position];
  if (chosen === undefined) throw refusalOf(tracks, context, container);
  refuseDenseSound(chosen);
  const { stream, codec } = chosen;
  for (const other of context.streams) if (other.index !== stream.index) other.discard = AVDISCARD_ALL;
  return { stream, codec, tracks: tracks.map((track) => describeTrack(track, used.includes(track))) };
}

function refusalOf([first]: readonly Track[], { streams }: FormatContext, container: AudioContainer): AppError {
  if (first === undefined)
    return streams.length > 0 ? unsupported('The file has no sound') : new AppError('corrupt_audio');
  const { codec } = first;
  if (codec === 'none' || isAccepted(container, codec)) return new AppError('corrupt_audio');
  return unsupported(`The sound has the codec "${codec}", which is not accepted in ${container} files`);
}

function unsupported(description: string): AppError {
  return new AppError('unsupported_audio_format', `${description}; send ${ACCEPTED_AUDIO}.`);
}

export function openDecoder(stream: Stream): CodecContext {
  const codec = Codec.findDecoder(stream.codecpar.codecId);
  if (codec === null) throw new AppError('unsupported_audio_format');
  const decoder = new CodecContext();
  decoder.allocContext3(codec);
  // Use one thread: processes run in parallel here, and frame threads would delay frames.
  decoder.threadCount = 1;
  decoder.pktTimebase = stream.timeBase;
  if (decoder.parametersToContext(stream.codecpar) < 0 || decoder.open2Sync(codec, null) < 0) {
    decoder.freeContext();
    throw new AppError('corrupt_audio');
  }
  return decoder;
}

export function refuseIf(isDamaged: boolean): void {
  if (isDamaged) throw new AppError('corrupt_audio');
}
