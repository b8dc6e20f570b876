// Compares the exported graph in onnxruntime-node with torch and measures its speed on one core.
// usage: node check_onnx.mjs MODEL.onnx FOLDER   (FOLDER from dump_reference.py: NAME.pcm.f32, NAME.symbol.f32, NAME.tone.f32, NAME.pitch.f32)
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

// Otherwise it reports the models to its makers.
process.env.ORT_DISABLE_TELEMETRY = '1';
const ort = await import('onnxruntime-node');

const [, , modelPath, folder] = process.argv;
const floats = (path) => {
  const bytes = readFileSync(path);
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
};
const session = await ort.InferenceSession.create(modelPath, { intraOpNumThreads: 1, interOpNumThreads: 1 });
const run = (pcm) => session.run({ pcm: new ort.Tensor('float32', pcm, [1, pcm.length]) });
for (const file of readdirSync(folder).filter((f) => f.endsWith('.pcm.f32'))) {
  const pcm = floats(join(folder, file));
  const out = await run(pcm);
  for (const [name, kind] of [
    ['symbol_logp', 'symbol'],
    ['tone_logp', 'tone'],
    ['pitch', 'pitch'],
    ['language_score', 'language'],
  ]) {
    if (out[name] === undefined) continue;
    const expected = floats(join(folder, file.replace('.pcm.', `.${kind}.`)));
    const got = out[name].data;
    let worst = 0;
    for (let i = 0; i < expected.length; i++)
      worst = Math.max(worst, Math.abs(Math.exp(got[i]) - Math.exp(expected[i])));
    console.log(
      file,
      name,
      out[name].dims.join('x'),
      got.length === expected.length ? '' : 'LENGTH DIFFERS',
      'largest difference of exp',
      worst.toExponential(2),
    );
  }
}
for (const seconds of [0.3, 1, 3, 10, 30]) {
  const pcm = Float32Array.from({ length: seconds * 16000 }, () => (Math.random() - 0.5) * 0.1);
  await run(pcm);
  const began = process.cpuUsage();
  const rounds = Math.ceil(30 / seconds);
  for (let i = 0; i < rounds; i++) await run(pcm);
  const used = process.cpuUsage(began);
  const cpuSeconds = (used.user + used.system) / 1e6;
  console.log(`${seconds} s of audio: ${((seconds * rounds) / cpuSeconds).toFixed(0)} x real time per CPU second`);
}
