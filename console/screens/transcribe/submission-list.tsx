import { notifyFailure } from '#console/core/notices.ts';
import { addressOf } from '#console/core/router.ts';
import { formatBytes, formatTime, text } from '#console/core/text.ts';
import { ButtonLink, IconButton } from '#console/ui/button.tsx';
import { Failure } from '#console/ui/failure.tsx';
import { Progress } from '#console/ui/parts.tsx';
import { remove, retry, submissions, type Submission } from './submissions.ts';

export function SubmissionList() {
  return (
    <ul class="submissions">
      {submissions.value.map((submission) => (
        <Entry key={submission.id} of={submission} />
      ))}
    </ul>
  );
}

function Entry({ of }: { of: Submission }) {
  const { transcribe } = text();
  const { id, name, phase, fraction, seconds, sizeBytes, transcriptionId } = of;
  const isRunning = !['chosen', 'completed', 'failed', 'cancelled'].includes(phase);
  const facts = [
    seconds === null ? null : formatTime(seconds),
    sizeBytes === null ? null : formatBytes(sizeBytes),
  ].filter((fact) => fact !== null);
  return (
    <li>
      <div class="submission-text">
        <strong dir="auto">{name}</strong>
        <span class="muted small-text tabular">
          <span class={phase === 'failed' ? 'fault' : ''}>{transcribe.phase[phase]}</span>
          {facts.map((fact) => ` · ${fact}`)}
        </span>
        {phase === 'failed' ? (
          <span class="fault small-text" role="alert">
            <Failure of={of.failure} />
          </span>
        ) : null}
      </div>
      <div class="row">
        {phase === 'completed' && transcriptionId !== null ? (
          <ButtonLink href={addressOf('transcripts', transcriptionId)} kind="primary" small>
            {transcribe.openTranscript}
          </ButtonLink>
        ) : null}
        {of.source !== null && ((phase === 'failed' && sizeBytes !== 0) || phase === 'cancelled') ? (
          <IconButton icon="undo" label={transcribe.retryOne(name)} onClick={() => retry(id)} />
        ) : null}
        <IconButton
          icon={isRunning ? 'stop' : 'close'}
          label={isRunning ? transcribe.cancelOne(name) : transcribe.remove(name)}
          onClick={() => void remove(id).catch(notifyFailure)}
        />
      </div>
      {isRunning ? (
        <Progress
          label={`${name}: ${transcribe.phase[phase] ?? ''}`}
          fraction={phase === 'queued' || phase === 'waiting' ? null : fraction}
        />
      ) : null}
    </li>
  );
}
