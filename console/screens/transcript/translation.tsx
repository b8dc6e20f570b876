import { signal, useSignal, type Signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Translation, TranslationLanguage } from '@jyutsing/client';
import { describeCode } from '#console/core/failures.ts';
import { client } from '#console/core/session.ts';
import { text } from '#console/core/text.ts';
import { useAttempt } from '#console/core/use-attempt.ts';
import { Button } from '#console/ui/button.tsx';
import { SelectField, Switch } from '#console/ui/field.tsx';
import { FailureBanner, Progress } from '#console/ui/parts.tsx';
import type { Editor } from './editor.ts';

const LANGUAGES = ['written_chinese', 'english', 'mandarin', 'japanese', 'korean'] as const;
const POLL_MS = 1_500;
/**
 * The translations that this page has begun and that have not ended, by transcript and language: a
 * window that is opened again knows of one that the service may not have stored yet.
 */
const begun = signal<readonly string[]>([]);

/** The language of a file; null: as it was spoken. `isReady`: the file can be made. */
export type ChosenLanguage = { language: TranslationLanguage | null; isBilingual: boolean; isReady: boolean };

/** Chooses a language, and has the transcript translated when it is not yet. */
export function TranslationChoice({
  id,
  editor,
  chosen,
  withBilingual = true,
}: {
  id: string;
  editor: Editor;
  chosen: Signal<ChosenLanguage>;
  withBilingual?: boolean;
}) {
  const { after } = text();
  /** It is null before the first answer. */
  const present = useSignal<readonly Translation[] | null>(null);
  const { busy, failure, attempt } = useAttempt<'load' | 'translate'>();
  const job = client().transcriptions.job(id);
  const { language, isBilingual } = chosen.value;
  const isLoading = present.value === null && failure.value === null;
  const find = (target: TranslationLanguage) => present.value?.find((translation) => translation.language === target);
  const current = language === null ? undefined : find(language);
  const isReadyIn = (target: TranslationLanguage | null) => target === null || find(target)?.status === 'completed';
  const load = async () => {
    present.value = await job.translations();
    const isReady = isReadyIn(chosen.value.language);
    // Another object would load the file again.
    if (isReady !== chosen.value.isReady) chosen.value = { ...chosen.value, isReady };
  };
  useEffect(() => void attempt('load', load), []);
  const isBegun = language !== null && begun.value.includes(keyOf(id, language));
  const isRunning = busy.value === 'translate' || isBegun || current?.status === 'processing';
  // A translation goes on when the window is closed, and may have been begun elsewhere.
  useEffect(() => {
    if (!isRunning) return undefined;
    const refresh = () => void load().catch(() => {});
    const timer = setInterval(refresh, POLL_MS);
    return () => {
      clearInterval(timer);
      refresh();
    };
  }, [isRunning, language]);
  const translate = (target: TranslationLanguage) =>
    attempt('translate', async () => {
      await asBegun(keyOf(id, target), async () => {
        await editor.save();
        await job.translate(target, { pollInterval: POLL_MS });
      });
      await load();
    });
  const progress = after.translating(String(current?.done ?? 0), String(current?.total ?? '…'));
  return (
    <div class="stack">
      <SelectField
        label={after.language}
        value={language ?? 'original'}
        options={[
          { value: 'original', label: after.original },
          ...LANGUAGES.map((value) => ({ value, label: after.languages[value] ?? value })),
        ]}
        onChoose={(value) => {
          const next = LANGUAGES.find((name) => name === value) ?? null;
          chosen.value = { ...chosen.value, language: next, isReady: isReadyIn(next) };
        }}
      />
      {language === null || !withBilingual ? null : (
        <Switch
          label={after.bilingual}
          checked={isBilingual}
          onChange={(checked) => (chosen.value = { ...chosen.value, isBilingual: checked })}
        />
      )}
      {language === null || chosen.value.isReady || isLoading || isRunning ? null : (
        <>
          <p class="muted small-text">
            {current?.status === 'outdated' ? after.outdated : after.notTranslated} {after.translationCost}
          </p>
          <div class="row">
            <Button kind="primary" disabled={busy.value !== null} onClick={() => void translate(language)}>
              {after.translate}
            </Button>
          </div>
        </>
      )}
      {current?.status === 'failed' && failure.value === null && !isRunning ? (
        <p class="fault small-text" role="alert">
          {describeCode(current.error_code, current.error ?? '')}
        </p>
      ) : null}
      {isRunning ? (
        <>
          <p class="small-text tabular">{progress}</p>
          <Progress
            label={progress}
            fraction={current === undefined || current.total === 0 ? null : current.done / current.total}
          />
        </>
      ) : null}
      {failure.value === null ? null : <FailureBanner of={failure.value} />}
    </div>
  );
}

async function asBegun(key: string, work: () => Promise<void>): Promise<void> {
  begun.value = [...begun.value, key];
  try {
    await work();
  } finally {
    begun.value = begun.value.filter((other) => other !== key);
  }
}

function keyOf(id: string, language: TranslationLanguage): string {
  return `${id} ${language}`;
}
