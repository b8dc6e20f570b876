import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export const FLITE_VOICES = ['kal', 'awb_time', 'kal16', 'awb', 'rms', 'slt'];
export const FESTIVAL_VOICES = [
  'suo_fi_lj_diphone',
  'pc_diphone',
  'lp_diphone',
  'cmu_us_slt_arctic_hts',
  'ked_diphone',
  'kal_diphone',
  'upc_ca_ona_hts',
  'msu_ru_nsh_clunits',
];

type Programs = {
  /** The sound that all of them speak, whatever the text. */
  sound: string;
  /** Gets a line with the arguments of each call that speaks. */
  log: string;
  flite?: readonly string[] | null;
  festival?: readonly string[] | null;
};

/**
 * Writes programs into a folder that take the options of espeak-ng 1.51, flite 2.2 and festival
 * 2.5, as far as speak-others.ts uses them. Like the real ones, flite speaks with its first voice
 * when it lacks the one it is asked for, and festival ends at the first voice that it lacks.
 */
export async function writeSynthesizers(
  folder: string,
  { sound, log, flite = FLITE_VOICES, festival = FESTIVAL_VOICES }: Programs,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const write = async (name: string, ...lines: string[]) => {
    await writeFile(join(folder, name), ['#!/bin/sh', ...lines, ''].join('\n'));
    await chmod(join(folder, name), 0o755);
  };
  const speakTo = (option: string) => [
    `echo "$0 $@" >>'${log}'`,
    `while [ "$1" != ${option} ]; do shift; done`,
    `/bin/cp '${sound}' "$2"`,
  ];
  await write('espeak-ng', '[ "$1" = --version ] && exit', ...speakTo('-w'));
  if (flite !== null) {
    await write('flite', `[ "$1" = -lv ] && echo 'Voices available: ${flite.join(' ')} ' && exit`, ...speakTo('-o'));
  }
  if (festival !== null) {
    const voiceNames = festival.map((voice) => `'(voice_${voice})'`).join('|');
    await write(
      'festival',
      `[ "$2" = '(print (voice.list))' ] && echo '(${festival.join(' ')})' && exit`,
      `echo "$0 $@" >>'${log}'`,
      'while read -r line || [ -n "$line" ]; do case "$line" in',
      `  ${voiceNames}) ;;`,
      '  "(voice_"*) echo "SIOD ERROR: unbound variable : ${line#?}" >&2; exit 255 ;;',
      `  *) file=\${line%\\"*}; /bin/cp '${sound}' "\${file##*\\"}" ;;`,
      'esac; done <"$2"',
    );
  }
}
