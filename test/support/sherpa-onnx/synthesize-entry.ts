import { toAppError } from '@jyutsing/contracts/errors';
import { engine } from '#packages/engines/sherpa-onnx/synthesizer.ts';
import { pieceOf, requestOf, soundOf, speakAll } from '../synthesis-requests.ts';

// Synthesizes a word in a process of its own, because native code aborts the process for an invalid
// model.
const env = { builtinModelsDir: '/nowhere', modelsDir: process.argv[2] ?? '', settings: {} };
try {
  const synthesizer = await engine.open(env, 'vits-cantonese');
  const events = await speakAll(synthesizer, requestOf([pieceOf([[process.argv[3] ?? '早 晨', 'statement']])]));
  process.stdout.write(`spoke ${soundOf(events).length}`);
} catch (thrown) {
  process.stdout.write(toAppError(thrown).code);
}
