// Prints what was said in a meeting, with times, and speaks a greeting into a file:
//   node node.js meeting.m4a
import { Jyutsing } from '@jyutsing/client';

const [path = 'meeting.wav'] = process.argv.slice(2);
const jyut = new Jyutsing();
const job = await jyut.transcribe(path, { context: '岑灝賢' });
for await (const { fraction, stage } of job.progress()) console.error(`${stage}: ${Math.round(fraction * 100)} %`);
const { segments } = await job.wait();
for (const { start, text } of segments) console.log(`${start.toFixed(1)} ${text}`);
await jyut.speak('大家早晨！').toFile('greeting.mp3');
