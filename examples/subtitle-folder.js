// Writes subtitles beside every recording of a folder that has none yet:
//   node subtitle-folder.js recordings/
import { readdir, writeFile } from 'node:fs/promises';
import { join, parse } from 'node:path';
import { Jyutsing } from '@jyutsing/client';

const AT_A_TIME = 4;
const [folder = '.'] = process.argv.slice(2);
const jyut = new Jyutsing();

const names = await readdir(folder);
const done = new Set(names.filter((name) => name.endsWith('.srt')).map((name) => parse(name).name));
const recordings = names.filter((name) => /\.(wav|mp3|m4a|flac|ogg|mp4|mkv|webm)$/i.test(name));
const waiting = recordings.filter((name) => !done.has(parse(name).name));
const total = waiting.length;
let finished = 0;

async function work() {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
    try {
      const job = await jyut.transcribe(join(folder, name));
      await job.wait();
      await writeFile(join(folder, `${parse(name).name}.srt`), await job.srt());
      finished += 1;
    } catch (failure) {
      console.error(`${name}: ${failure.message}`);
      process.exitCode = 1;
    }
  }
}

await Promise.all(Array.from({ length: AT_A_TIME }, work));
console.log(`${finished} of ${total} recordings have subtitles now.`);
