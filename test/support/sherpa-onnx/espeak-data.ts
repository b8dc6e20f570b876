import { readFileSync } from 'node:fs';
import type { ModelFiles } from './recognizer-models.ts';

/**
 * English words need only these files of the data of espeak-ng; a pulled package holds all
 * languages.
 */
const FILES = ['phontab', 'phonindex', 'phondata', 'intonations', 'en_dict', 'lang/gmw/en', 'lang/gmw/en-US'];

/** The real files, which the npm package of espeak-ng joins to one. */
export function espeakData(): ModelFiles {
  const places = partOfPackage('js').toString();
  const data = partOfPackage('data');
  return Object.fromEntries(
    FILES.map((name) => {
      const place = new RegExp(`espeak-ng-data/${name}",start:(\\d+),end:(\\d+)`, 'u').exec(places);
      return [`espeak-ng-data/${name}`, data.subarray(Number(place?.[1]), Number(place?.[2]))];
    }),
  );
}

function partOfPackage(extension: 'js' | 'data'): Buffer {
  return readFileSync(new URL(import.meta.resolve(`@echogarden/espeak-ng-emscripten/espeak-ng.${extension}`)));
}
