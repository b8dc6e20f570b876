#!/bin/sh
# Guess: FFmpeg decodes a WAV file of NMS ADPCM (format 0x0038, of the telephone boards of Natural
# MicroSystems), or says that it has no decoder for it.
# Seen with soundfile 0.14.0 (libsndfile), which writes and reads it, and imageio-ffmpeg 0.8.1 with FFmpeg
# 9.0.2 (both PyPI): FFmpeg takes 0x0038 for AMR, which its table of formats has under that number. It decodes
# noise, of four times the length, and ends with status 0; beside "Corrupt bitstream" nothing tells. A call
# of two seconds becomes a recording of eight that has no word in it.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet soundfile==0.14.0 imageio-ffmpeg==0.8.1
cat > try.py <<'END'
import subprocess
import imageio_ffmpeg
import numpy
import soundfile

ffmpeg = imageio_ffmpeg.get_ffmpeg_exe()
tone = 0.3 * numpy.sin(numpy.arange(16_000) * 2 * numpy.pi * 440 / 8_000)


def share_of_tone(sound):
    middle = sound[2_000:14_000]
    spectrum = numpy.abs(numpy.fft.rfft(middle * numpy.hanning(len(middle)))) ** 2
    at = round(440 * len(middle) / 8_000)
    return spectrum[at - 5:at + 6].sum() / spectrum.sum()


for subtype in ('ULAW', 'GSM610', 'G721_32', 'NMS_ADPCM_32'):
    soundfile.write('call.wav', tone, 8_000, subtype=subtype)
    read, _ = soundfile.read('call.wav')
    decoded = subprocess.run([ffmpeg, '-v', 'quiet', '-i', 'call.wav', '-f', 'f32le', '-'], capture_output=True, check=True)
    heard = numpy.frombuffer(decoded.stdout, '<f4')
    print(f'{subtype}: libsndfile {len(read) / 8_000:.2f} s, {share_of_tone(read):.0%} of it the tone;',
          f'FFmpeg {len(heard) / 8_000:.2f} s, {share_of_tone(heard):.0%}')
    is_wrong = len(heard) > 2 * len(read) and share_of_tone(heard) < 0.1
    if share_of_tone(read) < 0.9 or is_wrong != (subtype == 'NMS_ADPCM_32'):
        raise SystemExit('behaves differently now')
END
python/bin/python try.py
echo 'as described'
