import { expect, it } from 'vitest';
import { measureSource } from './measure-source.ts';
import { SOURCE_PROFILE } from './source-profile.ts';

it('the stored source profile equals a new measurement: same spectrum and formants', async () => {
  const measured = await measureSource();
  const differences = measured.voicedBandsDb.map((level, band) =>
    Math.abs(level - SOURCE_PROFILE.voicedBandsDb[band]!),
  );
  expect(Math.max(...differences)).toBeLessThan(1.5);
  const formants = measured.formantsHz.map((hz, at) => Math.abs(hz / SOURCE_PROFILE.formantsHz[at]! - 1));
  expect(Math.max(...formants)).toBeLessThan(0.05);
  expect(Math.abs(measured.syllablesPerSecond / SOURCE_PROFILE.syllablesPerSecond - 1)).toBeLessThan(0.15);
  expect(measured.version).toBe(SOURCE_PROFILE.version);
});
