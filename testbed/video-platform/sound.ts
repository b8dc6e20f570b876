import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AVMEDIA_TYPE_AUDIO } from 'node-av/constants';
import { Dictionary, FFmpegError, FormatContext, Packet } from 'node-av/lib';
import { AppError } from '@jyutsing/contracts/errors';
import { silence, writeSound, type FixtureFormat } from '#testbed/sound/audio.ts';
import { durationOf, joinSounds, speak, toJyutping } from '#testbed/sound/espeak-speech.ts';

/** The audio of a video in one of the two formats that the platform offers. */
export type SoundFile = {
  /** Format number of the platform: 140 is AAC in fragmented MP4, 251 Opus in WebM. */
  itag: number;
  mimeType: string;
  bytes: Buffer;
  durationMs: number;
  sampleRateHz: number;
  channels: number;
};

type Format = Pick<SoundFile, 'itag' | 'mimeType' | 'sampleRateHz'> & {
  coded: FixtureFormat;
  muxer: string;
  muxerOptions: Record<string, string>;
};

/** Output of `speak`. */
const SPOKEN_SAMPLE_RATE_HZ = 24_000;

const FORMATS: readonly Format[] = [
  {
    itag: 140,
    mimeType: 'audio/mp4; codecs="mp4a.40.2"',
    sampleRateHz: SPOKEN_SAMPLE_RATE_HZ,
    coded: 'm4a',
    muxer: 'mp4',
    // As on the platform: brand `dash`, an index at the front, fragments of a few seconds.
    muxerOptions: { movflags: 'dash+delay_moov+global_sidx+skip_trailer', frag_duration: '5000000', brand: 'dash' },
  },
  {
    itag: 251,
    mimeType: 'audio/webm; codecs="opus"',
    sampleRateHz: 48_000,
    coded: 'ogg-opus',
    muxer: 'webm',
    muxerOptions: {},
  },
];

const SILENCE_MS = 5_000;
const made = new Map<string, Promise<readonly SoundFile[]>>();

/**
 * Synthesizes Cantonese text in both formats, once per text; five seconds of silence for an empty
 * text.
 */
export function soundOf(text: string): Promise<readonly SoundFile[]> {
  let files = made.get(text);
  if (files === undefined) {
    files = make(text);
    made.set(text, files);
  }
  return files;
}

async function make(text: string): Promise<readonly SoundFile[]> {
  const sentences = text.split(/(?<=[。？！])/u).filter((sentence) => sentence !== '');
  const spoken = await Promise.all(sentences.map((sentence) => speak(toJyutping(sentence))));
  const sound = spoken.length === 0 ? silence(SILENCE_MS, SPOKEN_SAMPLE_RATE_HZ) : joinSounds(spoken, 400);
  const folder = await mkdtemp(join(tmpdir(), 'video-platform-'));
  try {
    return await Promise.all(
      FORMATS.map(async ({ itag, mimeType, sampleRateHz, coded, muxer, muxerOptions }) => {
        const [from, to] = [join(folder, coded), join(folder, `${itag}`)];
        await writeSound(from, sound, coded);
        remux(from, to, muxer, muxerOptions);
        const bytes = await readFile(to);
        return { itag, mimeType, bytes, durationMs: durationOf(sound), sampleRateHz, channels: 1 };
      }),
    );
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Copies the packets into another container. */
function remux(from: string, to: string, muxer: string, muxerOptions: Record<string, string>): void {
  using packet = new Packet();
  packet.alloc();
  const input = new FormatContext();
  const output = new FormatContext();
  try {
    check(input.openInputSync(from));
    check(input.findStreamInfoSync());
    check(output.allocOutputContext2(null, muxer, to));
    const source = input.streams.find(({ codecpar }) => codecpar.codecType === AVMEDIA_TYPE_AUDIO);
    if (source === undefined) throw new AppError('internal_error', 'The file has no audio stream.');
    const target = output.newStream(null);
    check(source.codecpar.copy(target.codecpar));
    target.codecpar.codecTag = 0;
    target.timeBase = source.timeBase;
    check(output.openOutputSync());
    check(output.writeHeaderSync(Dictionary.fromObject(muxerOptions)));
    while (input.readFrameSync(packet) >= 0) {
      packet.streamIndex = target.index;
      packet.rescaleTs(source.timeBase, target.timeBase);
      check(output.interleavedWriteFrameSync(packet));
      packet.unref();
    }
    check(output.writeTrailerSync());
    output.closeOutputSync();
  } finally {
    input.closeInputSync();
    output.freeContext();
  }
}

function check(code: number): void {
  if (code < 0) throw new AppError('internal_error', `The codec library failed: ${FFmpegError.strerror(code)}.`);
}
