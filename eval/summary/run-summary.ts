import type { TableFormat } from '../report.ts';
import { writeJson } from '../run.ts';
import { mean } from '@jyutsing/numeric/statistics';
import { keptReport, speedReport } from './summary-report.ts';
import { scoreSummary, type SummaryRow, type SummaryScore } from './score-summary.ts';
import { measureSpeed, type SpeedRow } from './speed.ts';
import { SUMMARIZERS, type Summarizer } from './summarizers.ts';
import { FORMS, inForm, readTranscripts, type Form, type Half, type KeyedTranscript } from './transcripts.ts';

type SummaryOptions = { half: Half; jsonPath: string | null; format: TableFormat };

/**
 * Measures the built-in summarizer and trivial baselines on transcripts with known key sentences,
 * and its speed; prints both tables. Exit status 1 when a summary contains text that is not in the
 * transcript.
 */
export async function runSummary(options: SummaryOptions): Promise<number> {
  const transcripts = await readTranscripts(options.half);
  const rows: SummaryRow[] = [];
  for (const transcript of transcripts) {
    for (const form of FORMS) {
      for (const summarizer of SUMMARIZERS) rows.push(await rowOf(transcript, form, summarizer));
    }
  }
  const speeds = await speedRows(transcripts);
  await writeJson(options, { kind: 'summary', half: options.half, rows, speeds });
  console.log(`${keptReport(rows, options.format)}\n\n${speedReport(speeds, options.format)}`);
  return rows.every(({ isExtract }) => isExtract) ? 0 : 1;
}

async function rowOf(transcript: KeyedTranscript, form: Form, { name, summarize }: Summarizer): Promise<SummaryRow> {
  const { language } = transcript;
  const summaries = await summarize(inForm(transcript, form), language, transcript.title);
  const scores = summaries.map((summary) => scoreSummary(transcript, summary));
  const meanOf = (of: (score: SummaryScore) => number) => mean(scores.map(of));
  return {
    summarizer: name,
    transcript: transcript.name,
    language,
    form,
    keySentences: scores[0]!.keySentences,
    kept: meanOf(({ kept }) => kept),
    keyCharactersKept: meanOf(({ keyCharactersKept }) => keyCharactersKept),
    lengthShare: meanOf(({ lengthShare }) => lengthShare),
    isExtract: scores.every(({ isExtract }) => isExtract),
  };
}

async function speedRows(transcripts: readonly KeyedTranscript[]): Promise<SpeedRow[]> {
  const rows: SpeedRow[] = [];
  for (const language of new Set(transcripts.map((transcript) => transcript.language))) {
    const inLanguage = transcripts.filter((transcript) => transcript.language === language);
    for (const hours of [1, 3]) {
      for (const form of ['punctuated', 'captions anywhere'] as const)
        rows.push(await measureSpeed(inLanguage, form, hours));
    }
  }
  return rows;
}
