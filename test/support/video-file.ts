import { AV_CODEC_ID_MPEG4, AV_CODEC_ID_VP8, AV_CODEC_ID_WMV2, AV_PKT_FLAG_KEY } from 'node-av/constants';
import { AVMEDIA_TYPE_VIDEO, type AVCodecID } from 'node-av/constants';
import { AV_SAMPLE_FMT_FLTP, AV_SAMPLE_FMT_S16 } from 'node-av/constants';
import { Packet, Rational } from 'node-av/lib';
import { check, encodeSync, encoding, type Sound } from '#testbed/sound/audio.ts';

const FRAMES = 10;

const SOUND_OF = {
  mp4: encoding('mp4', 'aac', AV_SAMPLE_FMT_FLTP),
  'mp4-fragments': encoding('mp4', 'aac', AV_SAMPLE_FMT_FLTP, { movflags: 'frag_keyframe+empty_moov' }),
  mov: encoding('mov', 'aac', AV_SAMPLE_FMT_FLTP),
  matroska: encoding('matroska', 'aac', AV_SAMPLE_FMT_FLTP),
  webm: encoding('webm', 'libopus', AV_SAMPLE_FMT_S16),
  asf: encoding('asf', 'wmav2', AV_SAMPLE_FMT_FLTP),
} as const;
const PICTURES_OF: Readonly<Record<string, AVCodecID>> = { webm: AV_CODEC_ID_VP8, asf: AV_CODEC_ID_WMV2 };
export const VIDEO_FORMATS = Object.keys(SOUND_OF) as (keyof typeof SOUND_OF)[];

/**
 * Writes a film with `sound` as its sound track, which begins `delayMs` after the pictures; no
 * decoder accepts these.
 */
export async function writeVideo(
  path: string,
  sound: Sound,
  format: keyof typeof SOUND_OF,
  delayMs = 0,
): Promise<void> {
  const soundEncoding = { ...SOUND_OF[format], retime: (startMs: number) => startMs + delayMs };
  encodeSync(path, sound, soundEncoding, (output) => {
    const stream = output.newStream(null);
    stream.codecpar.codecType = AVMEDIA_TYPE_VIDEO;
    stream.codecpar.codecId = PICTURES_OF[format] ?? AV_CODEC_ID_MPEG4;
    stream.codecpar.width = 64;
    stream.codecpar.height = 64;
    stream.timeBase = new Rational(1, 10);
    return () => {
      for (let frame = 0; frame < FRAMES; frame += 1) {
        using packet = new Packet();
        packet.alloc();
        packet.data = Buffer.alloc(200, frame + 1);
        packet.streamIndex = stream.index;
        packet.flags = AV_PKT_FLAG_KEY;
        packet.pts = BigInt(frame);
        packet.dts = BigInt(frame);
        packet.duration = 1n;
        packet.rescaleTs(new Rational(1, 10), stream.timeBase);
        check(output.interleavedWriteFrameSync(packet));
      }
    };
  });
}
