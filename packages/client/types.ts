import type { components } from './api.ts';

type Schemas = components['schemas'];

/** The languages that are recognized, spoken and scored. */
export type Language = Schemas['TranscriptionFile']['language'];
/** The languages of summaries. */
export type SummaryLanguage = Schemas['VideoSummary']['summaryLanguage'];
/** One of the suggested names, or any other, such as a code. */
export type Suggested<Names extends string> = Names | (string & {});

/** A transcription as the poll shows it. */
export type TranscriptionRecord = Schemas['Transcription'];
/** A transcription in a list, without its texts. */
export type ListedTranscription = Schemas['ListedTranscription'];
/** A translation of a transcript, and how far it is. */
export type Translation = Schemas['Translation'];
export type TranslationLanguage = Translation['language'];
/** Statements about a transcript with the segments that say so. */
export type TextAboutTranscript = Omit<Schemas['TextAboutTranscript'], 'success'>;
export type SummaryKind = NonNullable<Schemas['NewTranscriptSummaryInput']['kind']>;
export type TextLanguage = NonNullable<Schemas['NewTranscriptSummaryInput']['language']>;
export type VoiceSummary = Schemas['VoiceSummary'];
export type Voice = Schemas['Voice'];
export type CorpusSummary = Schemas['CorpusSummary'];
export type Corpus = Schemas['Corpus'];
export type CorpusEntry = Schemas['CorpusEntryInput'];
export type CorpusEntryNote = Schemas['CorpusEntryNote'];
export type Model = Schemas['OpenAIModel'];
/** A download of a model by the service. */
export type ModelPull = Schemas['ModelPull'];
export type PullableModel = Schemas['PullableModel'];
/** Plan, quotas and their use. */
export type Usage = Omit<Schemas['Usage'], 'success'>;
/** Plan, quotas and their use of the caller's account, with the key of the request. */
export type OwnUsage = Omit<Schemas['OwnUsage'], 'success'>;
export type Account = Schemas['Account'];
export type Plan = Schemas['Plan'];
export type ApiKey = Schemas['ApiKey'];
export type Scope = ApiKey['scopes'][number];
export type ClientSecret = Schemas['ClientSecret'];
export type Health = Schemas['Health'];
export type ServiceInfo = Schemas['Home'];
export type VideoSummary = Omit<Schemas['VideoSummary'], 'success'>;
export type CaptionTracks = Omit<Schemas['VideoCaptionTracks'], 'success'>;
export type CaptionTrack = CaptionTracks['languages'][number];
export type VideoUsage = Omit<Schemas['VideoSummaryUsage'], 'success'>;
/** The times of a text in its recording. */
export type Alignment = Schemas['Alignment'];
/** A file of speech with the times of its words. */
export type TimedSpeech = Schemas['TimedSpeech'];

/** The score of a recording; its fields depend on the language. */
export type Score<Of extends Language = Language> = Of extends Language ? Omit<ScoreOf[Of], 'success'> : never;
type ScoreOf = {
  cantonese: Schemas['CantonesePronunciation'];
  mandarin: Schemas['MandarinPronunciation'];
  english: Schemas['EnglishPronunciation'];
};
