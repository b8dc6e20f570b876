#!/bin/sh
# Guess: `-ss 4.5 -t 2 -c copy` cuts two seconds out of a recording that is sound alone, to within a packet,
# whatever the container: every packet of sound can begin a file, so nothing needs to be kept before.
# Seen with imageio-ffmpeg 0.8.1 (PyPI), which brings FFmpeg 9.0.2: M4A, MP3, FLAC, WAV, AAC and MPEG-TS are cut
# so, Ogg up to half a second early. Of WebM and Matroska the piece has six and a half seconds and begins
# with the first: FFmpeg finds the entry of the index before, every five seconds, and a copy keeps all
# from there. So recordings of browsers that are cut into pieces overlap by seconds. Decoding is exact.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet imageio-ffmpeg==0.8.1
cat > try.py <<'END'
import array
import subprocess
import imageio_ffmpeg

RATE_HZ = 48_000
# Each second has a tone of its own, 100 Hz above the one before.
SOUND = f"aevalsrc='0.5*sin(2*PI*(300+100*floor(t))*t)':d=10:s={RATE_HZ}"


def ffmpeg(*options):
    return subprocess.run([imageio_ffmpeg.get_ffmpeg_exe(), '-v', 'error', '-y', *options], capture_output=True, check=True)


def heard(name, *options):
    samples = array.array('f', ffmpeg(*options, '-i', name, '-f', 'f32le', '-ac', '1', '-ar', str(RATE_HZ), '-').stdout)
    # Not the very beginning: MP3 needs frames before the cut to be decoded.
    tenth = samples[3 * RATE_HZ // 10:4 * RATE_HZ // 10]
    rises = sum(before < 0 <= after for before, after in zip(tenth, tenth[1:]))
    return round(len(samples) / RATE_HZ, 1), round((rises * 10 - 300) / 100)


seen = {}
for codec, ending in (('aac', 'm4a'), ('libmp3lame', 'mp3'), ('flac', 'flac'), ('pcm_s16le', 'wav'), ('aac', 'aac'),
                      ('aac', 'ts'), ('libopus', 'ogg'), ('libopus', 'webm'), ('libvorbis', 'webm'), ('aac', 'mka')):
    ffmpeg('-f', 'lavfi', '-i', SOUND, '-c:a', codec, f'whole.{ending}')
    ffmpeg('-ss', '4.5', '-i', f'whole.{ending}', '-t', '2', '-c', 'copy', f'cut.{ending}')
    length, first = seen[codec, ending] = heard(f'cut.{ending}')
    decoded, _ = heard(f'whole.{ending}', '-ss', '4.5', '-t', '2')
    print(f'{codec} in {ending}: {length} s, beginning with second {first}; decoded {decoded} s')
    if decoded != 2:
        raise SystemExit('is decoded differently now')
for (codec, ending), (length, first) in seen.items():
    if ending in ('webm', 'mka'):
        is_as_described = length >= 6.4 and first == 0
    else:
        is_as_described = length <= (2.6 if ending == 'ogg' else 2.2) and first == 4
    if not is_as_described:
        raise SystemExit('behaves differently now')
END
python/bin/python try.py
echo 'as described'
