import { writeJson, type EvaluationOptions } from '../run.ts';
import type { Measured } from './figures.ts';
import { PEOPLE_PARTS, type PeoplePart } from './parts.ts';
import { FULL, QUICK, type PeopleOptions } from './people-options.ts';
import { peopleReport } from './people-report.ts';

/**
 * Measures what the built-in models do with people, and prints it beside the figures before and the
 * goals. Exit status 1 when a measurement failed, 2 when there was nothing to measure.
 */
export async function runPeople(
  options: Pick<EvaluationOptions, 'locations' | 'place' | 'jsonPath' | 'format'> & {
    only: readonly PeoplePart[];
    isQuick: boolean;
  },
): Promise<number> {
  const { locations, place, format } = options;
  const partOptions: PeopleOptions = { folders: locations.folders, place, sizes: options.isQuick ? QUICK : FULL };
  const results: Partial<Record<PeoplePart, Measured>> = {};
  for (const part of PEOPLE_PARTS.filter((name) => options.only.includes(name))) {
    const measured = await measurePart(part, partOptions);
    results[part] = measured;
    console.log(`${peopleReport(part, measured, format)}\n`);
    await writeJson(options, { kind: 'people', isQuick: options.isQuick, results });
  }
  const all = Object.values(results);
  if (all.every(({ figures, failures }) => figures.length + failures.length === 0)) {
    console.error('No recordings of people: name their folder with --sets or in EVAL_SETS.');
    return 2;
  }
  return all.some(({ failures }) => failures.length > 0) ? 1 : 0;
}

/** Loads each part on demand, as scorers and synthesizers take a second. */
async function measurePart(part: PeoplePart, options: PeopleOptions): Promise<Measured> {
  switch (part) {
    case 'language':
      return (await import('./measure-language.ts')).measureLanguage(options);
    case 'recognition':
      return (await import('./measure-recognition.ts')).measureRecognition(options);
    case 'speakers':
      return (await import('./measure-speakers.ts')).measureSpeakers(options);
    case 'scoring':
      return (await import('./measure-scoring.ts')).measureScoring(options);
  }
}
