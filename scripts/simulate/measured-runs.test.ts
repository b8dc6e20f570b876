import { describe, expect, it } from 'vitest';
import { fitService, occupiedSeconds, serviceOf } from './measured-runs.ts';

const job = (arrivedS: number, endedS: number, audioS: number) => ({ arrivedS, endedS, audioS, workedS: 0 });

describe('the time of a worker', () => {
  it('is that between two ends while recordings wait, and that from the arrival otherwise', () => {
    const seconds = occupiedSeconds([job(0, 2, 60), job(0, 5, 120), job(7, 8, 30)]);
    expect(seconds).toEqual([2, 3, 1]);
  });

  it('is found for each second and for each recording', () => {
    const service = fitService([job(0, 0.7, 60), job(0, 2, 120), job(0, 3.9, 180)]);
    expect(service.perAudioS).toBeCloseTo(0.01);
    expect(service.perJobS).toBeCloseTo(0.1);
    expect(serviceOf(service, 60)).toBeCloseTo(0.7);
  });

  it('is counted for each second when all recordings have one length', () => {
    expect(fitService([job(0, 1, 50), job(0, 3, 50)])).toEqual({ perAudioS: 0.03, perJobS: 0 });
  });
});
