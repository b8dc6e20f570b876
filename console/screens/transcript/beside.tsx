import { useSignal, type Signal } from '@preact/signals';
import type { TranslationLanguage } from '@jyutsing/client';
import { client } from '#console/core/session.ts';
import { text } from '#console/core/text.ts';
import { useAttempt } from '#console/core/use-attempt.ts';
import { Button } from '#console/ui/button.tsx';
import { FailureBanner } from '#console/ui/parts.tsx';
import type { Editor } from './editor.ts';
import { Sheet } from './sheet.tsx';
import { TranslationChoice, type ChosenLanguage } from './translation.tsx';

/** A translation that is shown beside the transcript: the texts by the keys of their segments. */
export type Beside = { language: TranslationLanguage; texts: ReadonlyMap<number, string> };

/** The tags of the languages, which choose the forms of characters. */
export const TAGS: Readonly<Record<TranslationLanguage, string>> = {
  written_chinese: 'zh-HK',
  english: 'en',
  mandarin: 'zh-Hans',
  japanese: 'ja',
  korean: 'ko',
};

type SheetProps = { id: string; editor: Editor; beside: Signal<Beside | null>; onClose: () => void };

/** Chooses the translation that is shown beside the transcript, or none. */
export function BesideChoice({ id, editor, beside, onClose }: SheetProps) {
  const { after } = text();
  const chosen = useSignal<ChosenLanguage>({
    language: beside.value?.language ?? null,
    isBilingual: false,
    isReady: beside.value === null,
  });
  const { busy, failure, attempt } = useAttempt<'show'>();
  const { language, isReady } = chosen.value;
  const show = () =>
    attempt('show', async () => {
      beside.value = language === null ? null : await load(id, editor, language);
      onClose();
    });
  return (
    <Sheet title={after.beside} onClose={onClose}>
      <TranslationChoice id={id} editor={editor} chosen={chosen} withBilingual={false} />
      {isReady ? (
        <div class="row">
          <Button kind="primary" disabled={busy.value !== null} onClick={() => void show()}>
            {language === null ? after.showOriginal : after.showBeside}
          </Button>
        </div>
      ) : null}
      {failure.value === null ? null : <FailureBanner of={failure.value} />}
    </Sheet>
  );
}

async function load(id: string, editor: Editor, language: TranslationLanguage): Promise<Beside> {
  await editor.save();
  const { segments } = await client().transcriptions.job(id).json({ language });
  const keys = editor.content.value.segments.map(({ key }) => key);
  return { language, texts: new Map(segments.map(({ translation }, index) => [keys[index] ?? -1, translation ?? ''])) };
}
