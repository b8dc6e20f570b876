import { AV_CODEC_ID_MPEG4, AV_PKT_FLAG_KEY, AV_SAMPLE_FMT_FLTP, AVMEDIA_TYPE_VIDEO } from 'node-av/constants';
import { Packet, Rational } from 'node-av/lib';
import { check, encodeSync, encoding, type Sound } from '#testbed/sound/audio.ts';

const FRAMES = 10;

/** Writes a film with `sound` as its sound track; no decoder accepts its pictures. */
export async function writeVideo(path: string, sound: Sound, muxer: 'mp4' | 'mov' | 'matroska'): Promise<void> {
  encodeSync(path, sound, encoding(muxer, 'aac', AV_SAMPLE_FMT_FLTP), (output) => {
    const stream = output.newStream(null);
    stream.codecpar.codecType = AVMEDIA_TYPE_VIDEO;
    stream.codecpar.codecId = AV_CODEC_ID_MPEG4;
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
