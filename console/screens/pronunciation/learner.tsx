import { effect, signal } from '@preact/signals';
import { text } from '#console/core/text.ts';
import { Button } from '#console/ui/button.tsx';
import { Switch } from '#console/ui/field.tsx';

const STORED_AS = 'jyutsing.learner';

type Learner = { id: string; isSent: boolean };

/** A random id for the learner in this browser, under which the pitch of the voice is kept. */
const learner = signal<Learner>(storedLearner() ?? { id: randomId(), isSent: true });

effect(() => localStorage.setItem(STORED_AS, JSON.stringify(learner.value)));

/** Returns the id that is sent with recordings; undefined while the learner prevents it. */
export function speakerId(): string | undefined {
  const { id, isSent } = learner.value;
  return isSent ? id : undefined;
}

/** Says that the pitch is remembered, and lets the learner prevent it or begin anew. */
export function LearnerChoices({ onReset }: { onReset: () => void }) {
  const { pronunciation } = text();
  const reset = () => {
    if (!confirm(pronunciation.resetQuestion)) return;
    learner.value = { ...learner.value, id: randomId() };
    onReset();
  };
  return (
    <div class="stack">
      <Switch
        label={pronunciation.remember}
        hint={pronunciation.rememberHint}
        checked={learner.value.isSent}
        onChange={(isSent) => (learner.value = { ...learner.value, isSent })}
      />
      <Button small onClick={reset}>
        {pronunciation.reset}
      </Button>
    </div>
  );
}

function storedLearner(): Learner | null {
  try {
    const { id, isSent } = JSON.parse(localStorage.getItem(STORED_AS) ?? '{}') as Partial<Learner>;
    return typeof id === 'string' && typeof isSent === 'boolean' ? { id, isSent } : null;
  } catch {
    return null;
  }
}

/** Makes a random id on pages without https too, unlike `crypto.randomUUID`. */
function randomId(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
