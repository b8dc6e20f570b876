// Compares the exported graphs in onnxruntime-node with torch and measures their speed on one core.
// usage: node check_onnx.mjs MODELS_FOLDER REFERENCE_FOLDER      (the second from dump_reference.py)
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

// Otherwise it reports the models to its makers.
process.env.ORT_DISABLE_TELEMETRY = '1';
const ort = await import('onnxruntime-node');

const [, , models, folder] = process.argv;
const floats = (path) => {
  const bytes = readFileSync(path);
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
};
const noise = (count) => Float32Array.from({ length: count }, () => (Math.random() - 0.5) * 0.1);
const sessions = {};
for (const kind of ['embedding', 'activity']) {
  const session = await ort.InferenceSession.create(join(models, `${kind}.onnx`), {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
  });
  sessions[kind] = async (samples, batch = 1) =>
    (await session.run({ samples: new ort.Tensor('float32', samples, [batch, samples.length / batch]) }))[kind];
}
for (const file of readdirSync(folder).filter((f) => f.endsWith('.samples.f32'))) {
  const samples = floats(join(folder, file));
  for (const kind of Object.keys(sessions)) {
    const expected = floats(join(folder, file.replace('.samples.', `.${kind}.`)));
    const got = await sessions[kind](samples);
    let worst = 0;
    for (let i = 0; i < expected.length; i++) worst = Math.max(worst, Math.abs(got.data[i] - expected[i]));
    const lengths = got.data.length === expected.length ? '' : 'LENGTH DIFFERS';
    console.log(file, kind, got.dims.join('x'), lengths, 'largest difference', worst.toExponential(2));
  }
}
for (const kind of Object.keys(sessions))
  for (const samples of [0, 1, 6400]) {
    const made = await sessions[kind](new Float32Array(samples + 6400 * (samples === 0)));
    console.log(kind, `silence of ${samples || 6400} samples`, made.dims.join('x'), made.data.every(Number.isFinite));
  }

/** CPU seconds that `rounds` calls take. */
async function spent(rounds, call) {
  await call();
  const began = process.cpuUsage();
  for (let i = 0; i < rounds; i++) await call();
  const used = process.cpuUsage(began);
  return (used.user + used.system) / 1e6;
}
for (const [seconds, batch] of [
  [1.5, 1],
  [1.5, 8],
  [1.5, 32],
  [3, 8],
]) {
  const samples = noise(seconds * 16000 * batch);
  const rounds = Math.ceil(64 / batch);
  const cpu = await spent(rounds, () => sessions.embedding(samples, batch));
  const rate = (rounds * batch) / cpu;
  console.log(
    `${seconds}-s windows by ${batch}: ${rate.toFixed(0)} a CPU second; 4,800 take ${(4800 / rate).toFixed(1)} s`,
  );
}
for (const seconds of [5, 10, 20]) {
  const samples = noise(seconds * 16000);
  const rounds = Math.ceil(60 / seconds);
  const cpu = await spent(rounds, () => sessions.activity(samples));
  const rate = (rounds * seconds) / cpu;
  console.log(`activity of ${seconds} s: ${rate.toFixed(0)} x real time; an hour takes ${(3600 / rate).toFixed(1)} s`);
}
