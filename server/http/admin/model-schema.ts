import { z } from 'zod';
import type { ModelPull, PullableModel } from '@jyutsing/contracts/model-catalog';

export const ModelPullView = z
  .object({
    name: z.string(),
    state: z.enum(['waiting', 'downloading', 'unpacking', 'installed', 'failed']),
    done_bytes: z.number(),
    total_bytes: z.number(),
    message: z.string().optional().describe('Why it failed.'),
  })
  .meta({ id: 'ModelPull' });

const PullableView = z
  .object({
    name: z.string(),
    title: z.string(),
    licence: z.string(),
    size_bytes: z.number(),
    state: z.string(),
  })
  .meta({ id: 'PullableModel' });

export const ModelsAnswer = z.object({ success: z.literal(true), models: z.array(PullableView) });

export function viewPull({ name, state, doneBytes, totalBytes, message }: ModelPull): z.output<typeof ModelPullView> {
  const reason = message === null ? {} : { message };
  return { name, state, done_bytes: doneBytes, total_bytes: totalBytes, ...reason };
}

export function viewPullable(model: PullableModel): z.output<typeof PullableView> {
  const { name, title, licence, sizeBytes, state } = model;
  return { name, title, licence, size_bytes: sizeBytes, state };
}
