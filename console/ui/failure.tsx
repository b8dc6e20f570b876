import { describeFailure, failureDetail } from '#console/core/failures.ts';
import { uiLanguage } from '#console/core/preferences.ts';
import { text } from '#console/core/text.ts';

/** Shows what failed, and below it what the service says about the cause. */
export function Failure({ of }: { of: unknown }) {
  return <Explained sentence={describeFailure(of)} detail={failureDetail(of)} />;
}

export function Explained({ sentence, detail }: { sentence: string; detail: string | null }) {
  const original = (
    <small class="failure-detail" lang="en" dir="auto">
      {detail}
    </small>
  );
  return (
    <span>
      {sentence}
      {detail === null ? null : uiLanguage.value === 'en' ? (
        original
      ) : (
        <details class="small-text">
          <summary>{text().failures.inEnglish}</summary>
          {original}
        </details>
      )}
    </span>
  );
}
