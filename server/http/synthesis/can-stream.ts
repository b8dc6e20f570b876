import { SPEED_BOUNDS } from '#features/synthesis/make-speech-file.ts';
import type { Speech } from '#features/synthesis/speech.ts';

/** At another speed than the model can speak, only the finished file can be changed. */
export function canStream({ model, style: { speed } }: Speech): boolean {
  const { min, max } = SPEED_BOUNDS;
  return speed === 1 || (model.capabilities.adjusts.speed && speed >= min && speed <= max);
}
