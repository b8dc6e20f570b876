import type { ModelPackage } from '@jyutsing/contracts/model-package';

const RELEASES = 'https://github.com/k2-fsa/sherpa-onnx/releases/download';
export const MB = 1_000_000;

type ReleaseTag =
  | 'asr-models'
  | 'punctuation-models'
  | 'speaker-recongition-models'
  | 'speaker-segmentation-models'
  | 'tts-models'
  | 'vocoder-models';

/** The properties in which packages differ; the URL follows from their release. */
export type PackageEntry = Omit<ModelPackage, 'url' | 'archive' | 'checksum'> & {
  tag: ReleaseTag;
  file: string;
  /**
   * SHA-256 of the download; docs/compatibility.md lists the sources. Null where none is known:
   * then the publisher's list is used, which is emptied and written again every day; vocoders have
   * no list.
   */
  sha256: string | null;
};

/** Makes a package of a release of sherpa-onnx. */
export function published({ tag, file, sha256, ...entry }: PackageEntry): ModelPackage {
  return {
    ...entry,
    url: `${RELEASES}/${tag}/${file}`,
    archive: file.endsWith('.tar.bz2') ? 'tar.bz2' : 'none',
    checksum:
      sha256 === null ? { kind: 'list', url: `${RELEASES}/${tag}/checksum.txt` } : { kind: 'sha256', value: sha256 },
  };
}
