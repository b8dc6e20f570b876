#!/bin/sh
# Guess: of two recordings that were joined by `cat`, FFmpeg reads both where a file is a stream (MP3,
# FLAC, Ogg, MPEG-TS), and the first alone where a header states a size or an index: WAV, AIFF, MP4,
# and AVI and Matroska too.
# Seen with imageio-ffmpeg 0.8.1 (PyPI), which brings FFmpeg 9.0.2: AVI and Matroska are read to the
# end of the second recording as well. WAV, AIFF, CAF, M4A, TTA and WMA end with the first one, and the
# exit status is 0 without any message. AU reads on, but takes the second header for sound. Matroska
# with TTA inside loses almost a second at the joint. So the container, not the codec, decides whether
# the second half of a recording that a recorder split and a person joined is silently missing.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet imageio-ffmpeg==0.8.1
ffmpeg=$(python/bin/python -c 'import imageio_ffmpeg; print(imageio_ffmpeg.get_ffmpeg_exe())')
seen=''
for kind in wav:pcm_s16le aiff:pcm_s16be caf:pcm_s16be m4a:aac tta:tta wma:wmav2 avi:pcm_s16le mka:aac webm:libopus flac:flac mka:tta; do
  ending=${kind%:*}
  codec=${kind#*:}
  for seconds in 2 3; do
    "$ffmpeg" -v error -y -f lavfi -i "sine=f=440:d=$seconds:r=16000" -ac 1 -c:a "$codec" "$seconds.$ending"
  done
  cat "2.$ending" "3.$ending" > "joined.$ending"
  "$ffmpeg" -v quiet -y -i "joined.$ending" -f s16le -ar 16000 -ac 1 sound.pcm
  milliseconds=$(($(wc -c < sound.pcm) / 32))
  echo "$ending with $codec, 5 s joined: $milliseconds ms, exit status 0"
  seen="$seen $ending=$(((milliseconds + 250) / 1000))"
done
expected=' wav=2 aiff=2 caf=2 m4a=2 tta=2 wma=2 avi=5 mka=5 webm=5 flac=5 mka=4'
[ "$seen" = "$expected" ] || { echo "behaves differently now:$seen"; exit 1; }
echo 'as described'
