import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { joinSamples } from '@jyutsing/audio/join-samples';
import { AppError } from '@jyutsing/contracts/errors';
import { JYUTPING_ONSETS, JYUTPING_RIMES, parseSyllable } from '@jyutsing/text/syllables/jyutping';
import type { Sound } from '#testbed/sound/audio.ts';
import { encodeOnnx, type OnnxConstant, type OnnxNode } from './onnx.ts';

/**
 * Whistled Cantonese: every onset, rime and tone has its own frequency over a voiced hum.
 * `writeWhistledModels` makes the acoustic model that recognizes it, with the inputs and outputs of
 * the real one, so that tests get text from audio.
 */
const RATE_HZ = 16_000;
const FRAME_MS = 30;
const FRAME_SAMPLES = 480;
/** Frequencies on this grid do not disturb one another within a frame. */
const GRID_HZ = 1_000 / FRAME_MS;
const LOWEST_WHISTLE_HZ = 1_200;
const SYMBOLS = [...JYUTPING_ONSETS.map((onset) => `${onset}-`), ...JYUTPING_RIMES.map((rime) => `-${rime}`)];
const TONES = ['1', '2', '3', '4', '5', '6'];
const whistleHz = (name: string) => LOWEST_WHISTLE_HZ + [...SYMBOLS, ...TONES].indexOf(name) * 2 * GRID_HZ;

const WHISTLE_LEVEL = 0.15;
/** Logit of a whistle at full level; that of the blank is half of it. */
const FULL_LOGIT = 16;

/** Syllables in jyutping, `null` for a second of silence, as sound of 0.27 s each. */
export function whistle(syllables: readonly (string | null)[]): Sound {
  const pieces = syllables.map((syllable) => (syllable === null ? new Float32Array(RATE_HZ) : whistleOne(syllable)));
  return { sampleRateHz: RATE_HZ, channels: [joinSamples(pieces)] };
}

function whistleOne(syllable: string): Float32Array {
  const parsed = parseSyllable(syllable);
  if (parsed === null) throw new AppError('invalid_parameter', `"${syllable}" is no jyutping.`);
  const samples = new Float32Array(FRAME_SAMPLES * 9);
  for (let i = 0; i < samples.length; i += 1) {
    const frame = i / FRAME_SAMPLES;
    const angle = (2 * Math.PI * i) / RATE_HZ;
    // The hum: harmonics of 133 Hz with varying pitch, which speech detection takes for speech.
    const swell = Math.sin((Math.PI * i) / samples.length) ** 0.5;
    for (let harmonic = 1; harmonic <= 6; harmonic += 1) {
      samples[i] = (samples[i] ?? 0) + ((0.25 * swell) / harmonic) * Math.sin(angle * harmonic * 4 * GRID_HZ);
    }
    const names: string[] = [];
    if (frame >= 1 && frame < 3 && parsed.onset !== '') names.push(`${parsed.onset}-`);
    if (frame >= 4 && frame < 7) names.push(`-${parsed.rime}`);
    names.push(String(parsed.tone));
    for (const name of names) samples[i] = (samples[i] ?? 0) + WHISTLE_LEVEL * Math.sin(angle * whistleHz(name));
  }
  return samples;
}

/** Writes `<folder>/yue` with the whistle model and the project's language model. */
export async function writeWhistledModels(folder: string, languageModelPath: string): Promise<void> {
  await mkdir(join(folder, 'yue'), { recursive: true });
  await writeFile(join(folder, 'yue/acoustic.onnx'), whistledModel());
  const labels = { onsets: JYUTPING_ONSETS, rimes: JYUTPING_RIMES };
  const description = {
    version: 'whistled',
    sampleRateHz: RATE_HZ,
    frameMs: FRAME_MS,
    labels,
    tones: [1, 2, 3, 4, 5, 6],
  };
  await writeFile(join(folder, 'yue/acoustic.json'), JSON.stringify(description));
  await copyFile(languageModelPath, join(folder, 'yue/language-model.bin'));
}

/** Power at each frequency in each frame, as logits. */
function whistledModel(): Buffer {
  const symbols = detector('symbol', ['blank', ...SYMBOLS]);
  const tones = detector('tone', TONES);
  const pitch = detector('pitch', ['blank', 'blank']);
  return encodeOnnx({
    nodes: [
      { op: 'Unsqueeze', inputs: ['pcm', 'axis'], outputs: ['sound'] },
      ...symbols.nodes,
      { op: 'LogSoftmax', inputs: ['symbol_logits'], outputs: ['symbol_logp'], attributes: { axis: 2 } },
      ...tones.nodes,
      { op: 'LogSoftmax', inputs: ['tone_logits'], outputs: ['tone_logp'], attributes: { axis: 2 } },
      ...pitch.nodes,
      { op: 'Identity', inputs: ['pitch_logits'], outputs: ['pitch'] },
    ],
    constants: [
      { name: 'axis', dims: [1], data: new BigInt64Array([1n]) },
      ...symbols.constants,
      ...tones.constants,
      ...pitch.constants,
    ],
    inputs: [{ name: 'pcm', dims: [1, 'samples'] }],
    outputs: [
      { name: 'symbol_logp', dims: [1, 'frames', SYMBOLS.length + 1] },
      { name: 'tone_logp', dims: [1, 'frames', TONES.length] },
      { name: 'pitch', dims: [1, 'frames', 2] },
    ],
  });
}

function detector(prefix: string, names: string[]): { nodes: OnnxNode[]; constants: OnnxConstant[] } {
  const scale = Math.sqrt(FULL_LOGIT) / WHISTLE_LEVEL;
  const weights = (wave: (angle: number) => number) =>
    Float32Array.from({ length: names.length * FRAME_SAMPLES }, (_, index) => {
      const name = names[Math.floor(index / FRAME_SAMPLES)] ?? 'blank';
      const angle = (2 * Math.PI * (index % FRAME_SAMPLES) * whistleHz(name)) / RATE_HZ;
      return name === 'blank' ? 0 : (2 / FRAME_SAMPLES) * scale * wave(angle);
    });
  const bias = Float32Array.from(names, (name) => (name === 'blank' ? FULL_LOGIT / 2 : 0));
  const dims = [names.length, 1, FRAME_SAMPLES];
  const stride = { strides: [FRAME_SAMPLES], kernel_shape: [FRAME_SAMPLES] };
  const named = (...parts: string[]) => parts.map((part) => `${prefix}_${part}`);
  return {
    nodes: [
      { op: 'Conv', inputs: ['sound', ...named('cos')], outputs: named('re'), attributes: stride },
      { op: 'Conv', inputs: ['sound', ...named('sin')], outputs: named('im'), attributes: stride },
      { op: 'Mul', inputs: named('re', 're'), outputs: named('re2') },
      { op: 'Mul', inputs: named('im', 'im'), outputs: named('im2') },
      { op: 'Add', inputs: named('re2', 'im2'), outputs: named('power') },
      { op: 'Transpose', inputs: named('power'), outputs: named('columns'), attributes: { perm: [0, 2, 1] } },
      { op: 'Add', inputs: named('columns', 'bias'), outputs: named('logits') },
    ],
    constants: [
      { name: `${prefix}_cos`, dims, data: weights(Math.cos) },
      { name: `${prefix}_sin`, dims, data: weights(Math.sin) },
      { name: `${prefix}_bias`, dims: [names.length], data: bias },
    ],
  };
}
