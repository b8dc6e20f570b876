import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openOnnxModel } from '#packages/engines/runtime/onnx.ts';
import { likenessFeatures, likenessOf, type StatisticsModel } from './human-likeness.ts';
import { logMels, MEL_BANDS } from './log-mels.ts';

/** Scores how much a clip at `JUDGED_RATE_HZ` is like the speech of people. */
export type LikenessJudge = {
  name: string;
  /** 0..1; above one half it takes the clip for a person. */
  score(clip: Float32Array): Promise<number>;
  close(): Promise<void>;
};

/** The folder of the judges that training/likeness makes. */
const FOLDER = join(import.meta.dirname, 'judges');

/** Both kinds of judges. Throws `engine_unavailable` without the network's file. */
export async function openLikenessJudges(folder = FOLDER): Promise<LikenessJudge[]> {
  const model: StatisticsModel = JSON.parse(await readFile(join(folder, 'statistics.json'), 'utf8'));
  return [
    {
      name: 'statistics',
      score: (clip) => Promise.resolve(likenessOf(likenessFeatures(clip), model)),
      close: () => Promise.resolve(),
    },
    await openLikenessNetwork(folder),
  ];
}

/** Judges half a second around each frame, and averages over the frames with speech. */
export async function openLikenessNetwork(folder = FOLDER): Promise<LikenessJudge> {
  const network = await openOnnxModel(join(folder, 'network.onnx'), { inputs: ['mels'], outputs: ['logits'] });
  return {
    name: 'network',
    async score(clip) {
      const { frames, values, isSpeech } = logMels(clip);
      const { logits } = await network.run({ mels: { data: values, dims: [1, frames, MEL_BANDS] } });
      let [sum, count] = [0, 0];
      for (const [frame, counts] of isSpeech.entries()) {
        sum += counts * logits!.data[frame]!;
        count += counts;
      }
      return 1 / (1 + Math.exp(-sum / Math.max(1, count)));
    },
    close: () => network.close(),
  };
}
