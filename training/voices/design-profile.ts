import { mean } from '@jyutsing/numeric/statistics';
import { bandCentersHz } from '@jyutsing/audio/voice/mel-bands';
import type { VoiceProfile } from '@jyutsing/contracts/voice';
import type { VoiceDesign } from './designs.ts';

/** Center of the spectral tilt. */
const TILT_CENTER_HZ = 1_000;
const HOLE_FROM_HZ = 4_000;
const PEOPLE_DROP_DB = 28;
const PEOPLE_DROP_PER_OCTAVE_DB = 14;
const MAX_NOISE_SHARE = 0.95;

/**
 * Profile of a designed voice: the engine's neutral voice with the design's pitch, formants, tilt,
 * breathiness and rate. The spectrum shifts with the formants, as both depend on the length of the
 * vocal tract.
 */
export function designProfile(base: VoiceProfile, design: VoiceDesign): VoiceProfile {
  const stretch = design.formantRatio;
  const [f1, f2, f3] = base.formantsHz;
  const voiced = stretched(withoutHole(base.voicedBandsDb), stretch).map(
    (db, band) => db + design.tiltDbPerOctave * Math.log2((bandCentersHz[band] ?? 0) / TILT_CENTER_HZ),
  );
  return {
    version: base.version,
    pitchMedianHz: design.pitchMedianHz,
    pitchLowSemitones: base.pitchLowSemitones * design.pitchRangeRatio,
    pitchHighSemitones: base.pitchHighSemitones * design.pitchRangeRatio,
    formantsHz: [f1 * stretch, f2 * stretch, f3 * stretch],
    voicedBandsDb: withoutMean(voiced),
    unvoicedBandsDb: withoutMean(stretched(base.unvoicedBandsDb, stretch)),
    noiseShares: stretched(base.noiseShares, stretch).map((share, band) =>
      Math.min(MAX_NOISE_SHARE, share + (1 - share) * design.breathiness * breathAt(bandCentersHz[band] ?? 0)),
    ),
    syllablesPerSecond: design.syllablesPerSecond,
    // Timbre is measured from audio, which does not exist yet.
    timbre: '',
  };
}

/**
 * Fills the gap of the engine between 4 and 7 kHz, which sounds tinny, to the human average (after
 * Byrne et al., "An international comparison of long-term average speech spectra", JASA 96, 1994:
 * density relative to that at 500 Hz, a little less for voiced sound alone).
 */
function withoutHole(bandsDb: readonly number[]): number[] {
  const from = bandAt(HOLE_FROM_HZ);
  const referenceDb = bandsDb[Math.round(bandAt(500))] ?? 0;
  return bandsDb.map((db, band) => {
    const octaves = Math.log2((bandCentersHz[band] ?? 0) / HOLE_FROM_HZ);
    return band < from ? db : Math.max(db, referenceDb - PEOPLE_DROP_DB - octaves * PEOPLE_DROP_PER_OCTAVE_DB);
  });
}

/**
 * Breathiness by frequency, as breath is audible where the voice is weak: a third at 1 kHz, all at
 * 8 kHz, none at 300 Hz.
 */
function breathAt(hz: number): number {
  return Math.min(1, Math.max(0, Math.log2(hz / 300) / Math.log2(8_000 / 300)));
}

/** Shifts bands up in frequency by `ratio`; the ends keep their values. */
function stretched(bands: readonly number[], ratio: number): number[] {
  return bands.map((_, band) => {
    const position = bandAt((bandCentersHz[band] ?? 0) / ratio);
    const lower = Math.floor(position);
    const upper = Math.min(bands.length - 1, lower + 1);
    const share = position - lower;
    return (bands[lower] ?? 0) * (1 - share) + (bands[upper] ?? 0) * share;
  });
}

function withoutMean(bands: readonly number[]): number[] {
  const average = mean(bands);
  return bands.map((db) => db - average);
}

/**
 * Fractional band index of a frequency: 2.5 is between the third and the fourth; clamped at the
 * ends.
 */
function bandAt(hz: number): number {
  const above = bandCentersHz.findIndex((center) => center > hz);
  if (above === -1) return bandCentersHz.length - 1;
  if (above === 0) return 0;
  const [low = hz, high = hz] = bandCentersHz.slice(above - 1, above + 1);
  return above - 1 + (hz - low) / (high - low);
}
