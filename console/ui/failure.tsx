import { describeFailure, failureDetail } from '#console/core/failures.ts';

/** Shows what failed, and below it what the service says about the cause. */
export function Failure({ of }: { of: unknown }) {
  return <Explained sentence={describeFailure(of)} detail={failureDetail(of)} />;
}

export function Explained({ sentence, detail }: { sentence: string; detail: string | null }) {
  return (
    <span>
      {sentence}
      {detail === null ? null : (
        <small class="failure-detail" lang="en" dir="auto">
          {detail}
        </small>
      )}
    </span>
  );
}
