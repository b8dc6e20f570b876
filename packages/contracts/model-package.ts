import type { Language } from './transcript.ts';

/** What a model can be for; one package serves one purpose. */
export const MODEL_PURPOSES = [
  'recognizer',
  'voice-activity',
  'speaker-segmentation',
  'speaker-embedding',
  'punctuation',
  'synthesizer',
] as const;
export type ModelPurpose = (typeof MODEL_PURPOSES)[number];

/**
 * How the downloaded file is recognised as the right one. All digests are SHA-256 in hexadecimal.
 *
 * - `list`: a text file beside the download says it, one file a line, `digest  name` or `name digest`.
 * - `sha256`: the catalogue says it.
 * - `null`: nobody publishes it; the digest of the first download is kept, and every later one is held to it.
 */
export type ModelChecksum = { kind: 'list'; url: string } | { kind: 'sha256'; value: string } | null;

/** What an engine's catalogue says of one downloadable package of weights; `src/engines/<engine>/packages.ts` exports a list of them. */
export type ModelPackage = {
  /** Lower-case words joined by hyphens, unique among all engines; what a user types, and the folder under MODELS_DIR. */
  name: string;
  /** For people: model, size, what sets it apart. */
  title: string;
  purpose: ModelPurpose;
  /** Languages it was made for; empty where language does not matter. */
  languages: readonly Language[];
  /** SPDX identifier where there is one, otherwise the name of the licence. */
  licence: string;
  homepage: string;
  /** Absolute address of the download. Its last part is the file's name, also in the checksum list. */
  url: string;
  /** `tar.bz2` is unpacked, without its single top folder; `none` is kept as the one file `files[0]`. */
  archive: 'none' | 'tar.bz2';
  /** Approximate size of the download; for people and for the check of free disk space. */
  sizeBytes: number;
  /** Files that must exist after installation, relative to the package's folder, with `/`. */
  files: readonly string[];
  checksum: ModelChecksum;
};
