import {
  AV_CODEC_FLAG2_SKIP_MANUAL,
  AV_CODEC_ID_ADPCM_G726,
  AV_CODEC_ID_ADPCM_G726LE,
  AV_LOG_QUIET,
  AVDISCARD_ALL,
} from 'node-av/constants';
import { Codec, CodecContext, Dictionary, FormatContext, InputFormat, Log } from 'node-av/lib';
import type { Stream } from 'node-av/lib';
import { resolve } from 'node:path';
import { ACCEPTED_AUDIO, type AudioContainer, type SoundTrack } from '@jyutsing/contracts/audio';
import { AppError } from '@jyutsing/contracts/errors';
import { clockStartOf, declaredEndMs } from './clock-start.ts';
import { identifyContainer } from './container.ts';
import { inspectEnd, type FileEnd } from './cut-off.ts';
import { withoutTail } from './end-of-sound.ts';
import { wholeOf, type FilePart } from './file-bytes.ts';
import { COMMON_OPTIONS, FORMATS, isAccepted } from './formats.ts';
import { flacStartMs } from './flac-start.ts';
import { openFreeFormat } from './free-format.ts';
import { findAppended, searchAppended } from './next-recording.ts';
import { lateSamplesOfOggFlac } from './late-ogg-flac.ts';
import { createLostFrames } from './lost-frames.ts';
import { createPacketReader, type PacketReader } from './packet-reader.ts';
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
   * Opens the recording that follows in the same file when this one is read, which may have another
   * codec or rate, as in a file that was joined from several. Null: none does.
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
  return openRecording(wholeOf(path), choice);
}

/** Opens the first recording in a part of a file, which goes on with those that follow. */
async function openRecording(whole: FilePart, choice: TrackChoice, chain?: Chain): Promise<AudioInput> {
  const identified = await identifyContainer(whole);
  if (identified.container === null) {
    const { found, isSound } = identified;
    throw unsupported(isSound ? `The file is ${found}, which is not accepted` : `The file is not audio but ${found}`);
  }
  const { container, freeFrameBytes } = identified;
  const part = await withoutTail(whole, container);
  const startByte = part.startByte + identified.startByte;
  if (freeFrameBytes !== undefined) return openFreeFormatInput(part.path, startByte, freeFrameBytes);
  const appended = await findAppended({ ...part, startByte }, container);
  const recording = { ...part, startByte, endByte: appended === null ? part.endByte : startByte + appended };
  if (await isProtected(recording, container)) throw unsupported('The sound is protected against copying (DRM)');
  const end = await inspectEnd(recording, container);
  if (end.lacksIndex) throw new AppError('corrupt_audio', NO_INDEX);
  const firstFrameMs = container === 'flac' ? await flacStartMs(recording) : 0;
  const lateSamples = container === 'ogg' ? await lateSamplesOfOggFlac(recording) : 0;
  const context = await openContext(recording, container);
  try {
    const opened = { context, container, part: recording, lateSamples, firstFrameMs };
    return withAppended(openTrack(opened, end, choice), recording, part, choice, chain);
  } catch (thrown) {
    context.closeInputSync();
    throw thrown;
  }
}

/** A file of more recordings is read up to so many: to open each takes some milliseconds. */
const MAX_RECORDINGS = 1_000;

/** The recordings of a file as far as they were opened: the last tells how the file ends. */
type Chain = { count: number; last: AudioInput; isBroken: boolean };

/** Adds the recordings that follow one in a part of a file; one that does not open is cut off. */
function withAppended(
  input: AudioInput,
  recording: FilePart,
  part: FilePart,
  choice: TrackChoice,
  chain: Chain = { count: 0, last: input, isBroken: false },
): AudioInput {
  const { container } = input;
  chain.count += 1;
  chain.last = input;
  async function findNext(): Promise<number | null> {
    if (recording.endByte < part.endByte) return recording.endByte;
    const startByte = recording.startByte + input.lastPacketByte() + 1;
    const found = await searchAppended({ ...part, startByte }, container);
    return found === null ? null : startByte + found;
  }
  return {
    ...input,
    get isCutOff() {
      return chain.isBroken || chain.last.isCutOff;
    },
    hasReadErrors: () => chain.last.hasReadErrors(),
    async openNextLink() {
      // The library reads the links of a chain that are like the first by itself.
      if (container === 'ogg' && !input.hasReadErrors()) return null;
      const startByte = await findNext();
      if (startByte === null) return null;
      try {
        if (chain.count < MAX_RECORDINGS) return await openRecording({ ...part, startByte }, choice, chain);
      } catch (thrown) {
        if (!(thrown instanceof AppError)) throw thrown;
      }
      chain.isBroken = true;
      return null;
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
async function openContext(part: FilePart, container: AudioContainer): Promise<FormatContext> {
  using options = optionsFor(container);
  const context = new FormatContext();
  const isOpen = context.openInputSync(urlOf(part), demuxerOf(container), options) >= 0;
  const layout = await readSampleLayout(part, container);
  const codec = isOpen ? codecNameOf(context.streams[0]) : 'none';
  // Another codec was found in the samples: S/PDIF, which looks like bare samples in the header.
  const isCompressed = codec !== 'none' && !codec.startsWith(PCM_PREFIX);
  if (layout !== null && (layout.codec !== codec || layout.isUnfinished === true) && !isCompressed) {
    context.closeInputSync();
    return openSamples(part, layout);
  }
  refuseIf(!isOpen);
  await widenSamples(context.streams, container, part);
  return context;
}

const PCM_PREFIX = 'pcm_';

function openSamples(part: FilePart, layout: SampleLayout): FormatContext {
  const { codec, sampleRateHz, channels, channelMask } = layout;
  const demuxer = InputFormat.findInputFormat(codec.slice(PCM_PREFIX.length));
  if (demuxer === null) throw unsupported(`The sound has the codec "${codec}", which is not accepted`);
  using options = Dictionary.fromObject({
    ...COMMON_OPTIONS,
    format_whitelist: demuxer.name ?? '',
    sample_rate: sampleRateHz,
    ch_layout: channelMask === 0 ? `${channels}C` : `0x${channelMask.toString(16)}`,
  });
  const context = new FormatContext();
  const startByte = part.startByte + layout.startByte;
  const samples = { path: part.path, startByte, endByte: part.startByte + layout.endByte };
  refuseIf(context.openInputSync(urlOf(samples), demuxer, options) < 0);
  return context;
}

/** Returns the address of a part of a file for the library, whose end 0 is that of the file. */
function urlOf({ path, startByte, endByte }: FilePart): string {
  // Put an absolute path behind an explicit protocol: a name such as "concat:a|b" must stay a name.
  const url = `file:${resolve(path)}`;
  const isWhole = startByte === 0 && endByte === Infinity;
  return isWhole ? url : `subfile,,start,${startByte},end,${endByte === Infinity ? 0 : endByte},,:${url}`;
}

const MAX_READ_ERRORS = 100;

type OpenedFile = {
  context: FormatContext;
  container: AudioContainer;
  part: FilePart;
  /** By how many samples the FLAC stream of an Ogg file begins late, if it has one. */
  lateSamples: number;
  /** The time of the first frame of a FLAC file. */
  firstFrameMs: number;
};

function openTrack(
  { context, container, part, lateSamples, firstFrameMs }: OpenedFile,
  { isCutOff, endsInZeros, isOpenEnded }: FileEnd,
  choice: TrackChoice,
): AudioInput {
  // Read the durations now: the next step replaces an unknown one by a guess from the bit rate.
  const declared = new Map(context.streams.map((stream) => [stream.index, stream.duration]));
  refuseIf(context.findStreamInfoSync(null) < 0);
  const { stream, codec, tracks } = chooseTrack(context, container, choice);
  const { codecpar, timeBase } = stream;
  refuseIf(timeBase.num <= 0 || timeBase.den <= 0);
  if (container === 'm4a' && codec === 'opus') keepFirstOpusPackets(stream);
  if (isG721(stream)) Object.assign(codecpar, { codecId: AV_CODEC_ID_ADPCM_G726LE, bitsPerCodedSample: 4 });
  const lateTicks = codec === 'flac' ? BigInt(lateSamples) : 0n;
  const clockStart = clockStartOf(context, stream, { container, codec, lateTicks, firstFrameMs });
  const declaredTicks = isOpenEnded ? 0n : (declared.get(stream.index) ?? 0n);
  const reader = createPacketReader(context, {
    streamIndex: stream.index,
    maxReadErrors: container === 'ogg' ? 1 : MAX_READ_ERRORS,
    lostFrames: createLostFrames(part, container),
    lateTicks,
  });
  return {
    ...reader,
    container,
    codec,
    sampleRateHz: codecpar.sampleRate,
    channels: codecpar.channels,
    declaredDurationMs: declaredEndMs(declaredTicks, { context, stream, container, codec }, clockStart),
    clockStart,
    // Samples of silence are zeros, packets of a codec are not.
    isCutOff: isCutOff || (endsInZeros && !codec.startsWith(PCM_PREFIX)),
    openDecoder() {
      const decoder = openDecoder(stream);
      if (container === 'caf' && codec === 'alac') keepLastSamples(decoder);
      return decoder;
    },
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
    lostFrames: () => 0,
    hasReadErrors: () => false,
    lastPacketByte: () => 0,
    tracks: [{ codec: 'mp3', channels, language: null, title: null, isUsed: true }],
  };
}

/** The format of G.721 in WAV (mmreg.h of Windows), which is G.726 with 4 bits. */
const WAVE_FORMAT_G721 = 0x40;

/**
 * libsndfile 1.2.2 (g72x.c) writes the first sample into the low bits of a byte, FFmpeg 8.1
 * (libavformat/riff.c) reads it from the high ones.
 */
function isG721({ codecpar }: Stream): boolean {
  return codecpar.codecId === AV_CODEC_ID_ADPCM_G726 && Number(codecpar.codecTag) === WAVE_FORMAT_G721;
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
 * Leaves the samples behind the sound in place. The last packet of ALAC holds only those that are
 * meant; FFmpeg 8.1 (libavformat/cafdec.c) has as many taken off again as the packet table of CAF
 * calls padding.
 */
function keepLastSamples(decoder: CodecContext): void {
  decoder.flags2 = AV_CODEC_FLAG2_SKIP_MANUAL;
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
  if (codec === 'none') return unsupported('The sound has a codec that is not known');
  if (isAccepted(container, codec)) return new AppError('corrupt_audio');
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
