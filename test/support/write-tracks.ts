import {
  AV_CODEC_ID_DTS,
  AV_CODEC_ID_PCM_S16LE,
  AV_PKT_FLAG_KEY,
  AV_SAMPLE_FMT_S16,
  AVMEDIA_TYPE_AUDIO,
} from 'node-av/constants';
import type { AVDisposition } from 'node-av/constants';
import { avChannelLayoutDefault, Dictionary, FormatContext, Packet, Rational } from 'node-av/lib';
import { check, wavBytes, type Sound } from '#testbed/sound/audio.ts';

/** A sound track of a test file: PCM, or bytes in the place of a codec that no encoder writes. */
export type TrackToWrite = {
  sound: Sound;
  codec?: 'pcm' | 'dts';
  tags?: Record<string, string>;
  disposition?: AVDisposition;
};

const PACKET_MS = 100;
const BYTES_OF_WAV_HEADER = 44;

/** Writes a file with several sound tracks of one length. */
export function writeTracks(path: string, muxer: 'mov' | 'matroska', tracks: readonly TrackToWrite[]): void {
  const output = new FormatContext();
  check(output.allocOutputContext2(null, muxer, path));
  const written = tracks.map(({ sound, codec = 'pcm', tags = {}, disposition }) => {
    const stream = output.newStream(null);
    const { codecpar } = stream;
    codecpar.codecType = AVMEDIA_TYPE_AUDIO;
    codecpar.codecId = codec === 'dts' ? AV_CODEC_ID_DTS : AV_CODEC_ID_PCM_S16LE;
    codecpar.format = AV_SAMPLE_FMT_S16;
    codecpar.sampleRate = sound.sampleRateHz;
    codecpar.channelLayout = avChannelLayoutDefault(sound.channels.length);
    codecpar.bitsPerCodedSample = 16;
    stream.timeBase = new Rational(1, sound.sampleRateHz);
    stream.metadata = Dictionary.fromObject(tags);
    if (disposition !== undefined) stream.disposition = disposition;
    return { stream, sound, bytes: wavBytes(sound).subarray(BYTES_OF_WAV_HEADER) };
  });
  check(output.openOutputSync());
  check(output.writeHeaderSync(null));
  for (let startMs = 0, isMore = true; isMore; startMs += PACKET_MS) {
    isMore = false;
    for (const { stream, sound, bytes } of written) {
      const frames = (sound.sampleRateHz * PACKET_MS) / 1_000;
      const size = frames * sound.channels.length * 2;
      const data = bytes.subarray((startMs / PACKET_MS) * size, (startMs / PACKET_MS + 1) * size);
      if (data.length === 0) continue;
      isMore = true;
      using packet = new Packet();
      packet.alloc();
      packet.data = Buffer.from(data);
      packet.streamIndex = stream.index;
      packet.flags = AV_PKT_FLAG_KEY;
      packet.pts = BigInt((startMs / PACKET_MS) * frames);
      packet.dts = packet.pts;
      packet.duration = BigInt(data.length / sound.channels.length / 2);
      packet.rescaleTs(new Rational(1, sound.sampleRateHz), stream.timeBase);
      check(output.interleavedWriteFrameSync(packet));
    }
  }
  check(output.writeTrailerSync());
  output.closeOutputSync();
  output.freeContext();
}
