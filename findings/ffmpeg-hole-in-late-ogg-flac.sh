#!/bin/sh
# Guess: an Ogg file whose sound begins at three seconds is read as such whatever its codec, since the
# page states the position: FLAC as well as Opus and Vorbis, all without a gap inside.
# Seen with imageio-ffmpeg 0.8.1 (PyPI), which brings FFmpeg 9.0.2: Opus and Vorbis have six seconds of
# unbroken sound. FLAC has a hole of about three seconds after the first page: its packets are counted
# from zero, and only from the second page on do they have the time of the page. A filter that makes
# gaps silence, as a transcription needs it, so cuts a sentence in two, and the cues before the hole are
# three seconds early against those behind it.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet imageio-ffmpeg==0.8.1
ffmpeg=$(python/bin/python -c 'import imageio_ffmpeg; print(imageio_ffmpeg.get_ffmpeg_exe())')
cat > runs.py <<'END'
import array, sys
samples = array.array('f', open(sys.argv[1], 'rb').read())
halves = range(0, len(samples) - 8_000, 8_000)
print(''.join('#' if max(map(abs, samples[at:at + 8_000])) > 0.01 else '.' for at in halves))
END
seen=''
for codec in flac libopus libvorbis; do
  "$ffmpeg" -v error -y -f lavfi -i sine=f=440:d=6:r=16000 -c:a $codec -output_ts_offset 3 late.ogg
  "$ffmpeg" -v error -y -i late.ogg -af aresample=async=1:first_pts=0 -f f32le -ar 16000 -ac 1 sound.f32
  half_seconds=$(python/bin/python runs.py sound.f32)
  echo "$codec, half seconds with sound (#) and without (.): $half_seconds"
  seen="$seen $codec=$(echo "$half_seconds" | grep -c '#\.\.*#' || true)"
done
[ "$seen" = ' flac=1 libopus=0 libvorbis=0' ] || { echo 'behaves differently now'; exit 1; }
echo 'as described'
