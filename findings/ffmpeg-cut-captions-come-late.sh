#!/bin/sh
# Guess: `-ss 5` before a file of captions or a film makes captions that are five seconds earlier, and one that is on
# the screen at that moment begins at zero.
# Seen with imageio-ffmpeg 0.8.1 (PyPI), which brings FFmpeg 9.0.2: where the caption on the screen had begun a second
# earlier, all captions are a second late: it lasts 3 s instead of 2, and what was at 8 s comes at 4 instead of 3. In MP4
# that is so beside sound that is cut right. Of Matroska the times are right, but the caption on the screen is
# lost. With `-ss 5` behind the input it is lost too, and the other captions stay where they were, unless they
# are copied with `-c copy`.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet imageio-ffmpeg==0.8.1 numpy==2.4.6 srt==3.5.3
cat > try.py <<'END'
import subprocess
import imageio_ffmpeg
import numpy
import srt

RATE = 16_000
CUES = '''1
00:00:04,000 --> 00:00:07,000
across

2
00:00:08,000 --> 00:00:10,000
later
'''


def ffmpeg(*options, sound=None):
    run = [imageio_ffmpeg.get_ffmpeg_exe(), '-v', 'error', '-y', *options]
    return subprocess.run(run, input=sound, capture_output=True, check=True).stdout


def captions(path):
    with open(path, encoding='utf-8') as file:
        return ', '.join(
            f'{cue.content} {cue.start.total_seconds():.1f} to {cue.end.total_seconds():.1f}' for cue in srt.parse(file.read())
        )


with open('cues.srt', 'w', encoding='utf-8') as file:
    file.write(CUES)
noise = 0.1 * numpy.random.default_rng(1).standard_normal(12 * RATE).astype('f4')
source = ['-f', 'f32le', '-ar', str(RATE), '-ac', '1', '-i', '-', '-i', 'cues.srt', '-map', '0', '-map', '1']
ffmpeg(*source, '-c:a', 'aac', '-c:s', 'mov_text', 'film.mp4', sound=noise.tobytes())
ffmpeg(*source, '-c:a', 'libopus', '-c:s', 'srt', 'film.mkv', sound=noise.tobytes())

ffmpeg('-ss', '5', '-i', 'cues.srt', 'cut.srt')
print('SubRip:', captions('cut.srt'))
ffmpeg('-i', 'cues.srt', '-ss', '5', 'cut.srt')
print('SubRip, behind the input:', captions('cut.srt'))
ffmpeg('-i', 'cues.srt', '-ss', '5', '-c', 'copy', 'cut.srt')
print('SubRip, copied:', captions('cut.srt'))
for film, codecs in (('mp4', ['-c:a', 'aac', '-c:s', 'mov_text']), ('mkv', ['-c:a', 'libopus', '-c:s', 'srt'])):
    ffmpeg('-ss', '5', '-i', f'film.{film}', '-map', '0', *codecs, f'cut.{film}')
    ffmpeg('-i', f'cut.{film}', '-map', '0:s', 'cut.srt')
    sound = numpy.frombuffer(ffmpeg('-i', f'cut.{film}', '-map', '0:a', '-f', 'f32le', '-ar', str(RATE), '-'), 'f4')
    begins = numpy.correlate(noise, sound[RATE:RATE + 4_000], 'valid').argmax() - RATE
    print(f'{film}: {captions("cut.srt")}; sound from {begins / RATE:.1f} s')
END
python/bin/python try.py > seen
cat seen
cat > expected <<'END'
SubRip: across 0.0 to 3.0, later 4.0 to 6.0
SubRip, behind the input: later 8.0 to 10.0
SubRip, copied: later 3.0 to 5.0
mp4: across 0.0 to 4.0, later 4.0 to 7.0; sound from 5.0 s
mkv: later 3.0 to 5.0; sound from 5.0 s
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
