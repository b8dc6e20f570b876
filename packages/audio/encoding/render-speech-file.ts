import { open, rm, type FileHandle } from 'node:fs/promises';
import { SYNTHESIS_SAMPLE_RATE_HZ } from '@jyutsing/contracts/synthesizer';
import type { FilterChain } from './filter-chain.ts';
import { correctedGain, createLeveler, createLoudnessMeter, gainFor, isLimited, type Loudness } from './loudness.ts';
import { createPitchChanger } from './pitch.ts';
import { readRawSpeech } from './raw-speech.ts';
import { createSpeechEncoder, rateOfFormat, type SpeechEncoder } from './speech-encoder.ts';
import type { SpeechFormat } from './speech-formats.ts';
import { createTempoChanger } from './tempo.ts';

export { SPEECH_FORMATS, type SpeechFormat } from './speech-formats.ts';

export type SpeechFileRequest = {
  /** Raw mono floats, little endian, at `SYNTHESIS_SAMPLE_RATE_HZ`. */
  inputPath: string;
  outputPath: string;
  format: SpeechFormat;
  /** Requested rate of the file; `rateOfFormat` gives the rate that the format supports. */
  sampleRateHz: number;
  /** Speech rate: 1 is unchanged, 2 halves the duration; pitch and formants stay. */
  tempo: number;
  /** Semitones by which the pitch moves; duration and formants stay. */
  pitchSemitones: number;
  /** True to normalize to −16 LUFS (EBU R 128) with peaks below −1 dBTP. */
  enhance: boolean;
};

export type RenderedSpeechFile = { durationMs: number; sizeBytes: number };

/**
 * Renders an audio file from raw speech. Audio stays on disk (a changed tempo or pitch uses a
 * second file beside the output, deleted at the end), so memory does not grow with its length. On
 * failure or abort (throws the signal's reason) no output is left. Throws `engine_failed` when the
 * codec library fails.
 */
export async function renderSpeechFile(call: SpeechFileRequest, signal: AbortSignal): Promise<RenderedSpeechFile> {
  const reshapedPath = `${call.outputPath}.reshaped`;
  try {
    const isReshaped = call.tempo !== 1 || call.pitchSemitones !== 0;
    if (isReshaped) await reshape(call, reshapedPath, signal);
    return await encode(call, isReshaped ? reshapedPath : call.inputPath, signal);
  } catch (failure) {
    await rm(call.outputPath, { force: true });
    throw failure;
  } finally {
    await rm(reshapedPath, { force: true });
  }
}

/** Writes raw speech with its new pitch and tempo. */
async function reshape(call: SpeechFileRequest, outputPath: string, signal: AbortSignal): Promise<void> {
  const pitch = call.pitchSemitones === 0 ? null : createPitchChanger(call.pitchSemitones);
  const tempo = call.tempo === 1 ? null : await createTempoChanger(call.tempo, SYNTHESIS_SAMPLE_RATE_HZ);
  const output = await open(outputPath, 'w');
  const write = async (samples: Float32Array) => {
    await writeAll(output, new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength));
  };
  try {
    for await (const samples of readRawSpeech(call.inputPath, signal)) {
      for (const piece of pitch === null ? [samples] : pitch.push(samples)) {
        await write(tempo === null ? piece : tempo.push(piece));
      }
    }
    for (const piece of pitch?.flush() ?? []) await write(tempo === null ? piece : tempo.push(piece));
    if (tempo !== null) await write(tempo.flush());
  } finally {
    tempo?.close();
    await output.close();
  }
}

async function encode(call: SpeechFileRequest, inputPath: string, signal: AbortSignal): Promise<RenderedSpeechFile> {
  const rateHz = rateOfFormat(call.format, call.sampleRateHz);
  const gainDb = call.enhance ? await findGain(inputPath, rateHz, signal) : null;
  const leveler = gainDb === null ? null : createLeveler(gainDb, SYNTHESIS_SAMPLE_RATE_HZ, rateHz);
  try {
    const inputRateHz = leveler === null ? SYNTHESIS_SAMPLE_RATE_HZ : rateHz;
    const encoder = createSpeechEncoder(call.format, call.sampleRateHz, { inputRateHz, isFile: true });
    try {
      return await writeEncoded(call.outputPath, readRawSpeech(inputPath, signal), leveler, encoder);
    } finally {
      encoder.close();
    }
  } finally {
    leveler?.close();
  }
}

async function writeEncoded(
  outputPath: string,
  speech: AsyncIterable<Float32Array>,
  leveler: FilterChain | null,
  encoder: SpeechEncoder,
): Promise<RenderedSpeechFile> {
  const output = await open(outputPath, 'w');
  try {
    let sampleCount = 0;
    let sizeBytes = 0;
    const write = async (bytes: Uint8Array) => {
      sizeBytes += bytes.length;
      await writeAll(output, bytes);
    };
    for await (const samples of speech) {
      sampleCount += samples.length;
      await write(encoder.push(leveler === null ? samples : leveler.push(samples)));
    }
    if (leveler !== null) await write(encoder.push(leveler.flush()));
    await write(encoder.finish());
    const start = encoder.finalStart();
    if (start !== null) await output.write(start, 0, start.length, 0);
    return { durationMs: (sampleCount * 1_000) / SYNTHESIS_SAMPLE_RATE_HZ, sizeBytes };
  } finally {
    await output.close();
  }
}

/** Finds the gain that reaches the target loudness after the limiter; null for silence. */
async function findGain(inputPath: string, rateHz: number, signal: AbortSignal): Promise<number | null> {
  const loudness = await measure(inputPath, SYNTHESIS_SAMPLE_RATE_HZ, null, signal);
  if (loudness.integratedLufs === -Infinity) return null;
  const gainDb = gainFor(loudness);
  if (!isLimited(loudness, gainDb)) return gainDb;
  const leveler = createLeveler(gainDb, SYNTHESIS_SAMPLE_RATE_HZ, rateHz);
  try {
    return correctedGain(gainDb, await measure(inputPath, rateHz, leveler, signal));
  } finally {
    leveler.close();
  }
}

async function measure(
  inputPath: string,
  rateHz: number,
  leveler: FilterChain | null,
  signal: AbortSignal,
): Promise<Loudness> {
  const meter = createLoudnessMeter(rateHz);
  try {
    for await (const samples of readRawSpeech(inputPath, signal)) {
      meter.push(leveler === null ? samples : leveler.push(samples));
    }
    if (leveler !== null) meter.push(leveler.flush());
    return meter.finish();
  } finally {
    meter.close();
  }
}

async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, at, bytes.length - at);
    at += bytesWritten;
  }
}
