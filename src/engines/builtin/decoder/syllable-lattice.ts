/** One way to hear a stretch of sound: a syllable, or nothing at all. */
export type SyllableArc = {
  from: number;
  to: number;
  /** Number in the language model; −1 when the stretch holds no syllable. */
  syllable: number;
  /** Natural logarithm of its posterior probability within the stretch. */
  logp: number;
  /** First frame of the syllable and the frame after its last. */
  startFrame: number;
  endFrame: number;
};

/** Everything that may have been said, as arcs between moments. Nodes are numbered in time order, arcs go forward. */
export type SyllableLattice = {
  /** Arcs by the node they leave; the last node has none. */
  arcsFrom: SyllableArc[][];
};

/** A lattice in which every syllable is certain, for text whose jyutping is known. One frame a syllable. */
export function certainLattice(syllables: readonly number[]): SyllableLattice {
  const arcsFrom: SyllableArc[][] = syllables.map((syllable, index) => [
    { from: index, to: index + 1, syllable, logp: 0, startFrame: index, endFrame: index + 1 },
  ]);
  arcsFrom.push([]);
  return { arcsFrom };
}
