import type { ComponentChildren } from 'preact';
import { dismiss, notices } from '#console/core/notices.ts';
import type { Loaded } from '#console/core/loaded.ts';
import { text } from '#console/core/text.ts';
import { Button, IconButton } from './button.tsx';
import { Explained, Failure } from './failure.tsx';
import { Icon, type IconName } from './icon.tsx';

/** The head of every screen, with its title. */
export function PageHead({ title, lead, children }: { title: string; lead?: string; children?: ComponentChildren }) {
  return (
    <div class="page-head">
      <div class="row">
        <h1>{title}</h1>
        {children === undefined ? null : <div class="row push">{children}</div>}
      </div>
      {lead === undefined ? null : <p>{lead}</p>}
    </div>
  );
}

export function Card({
  title,
  actions,
  children,
}: {
  title?: ComponentChildren;
  actions?: ComponentChildren;
  children: ComponentChildren;
}) {
  return (
    <section class="card">
      {title === undefined ? null : (
        <header>
          <h2>{title}</h2>
          {actions}
        </header>
      )}
      {children}
    </section>
  );
}

/** Shows how much of some work is done; with a `fraction` of null, only that it goes on. */
export function Progress({
  label,
  fraction,
  isFull = false,
}: {
  label: string;
  fraction: number | null;
  isFull?: boolean;
}) {
  const percent = fraction === null ? undefined : Math.round(Math.min(1, Math.max(0, fraction)) * 100);
  return (
    <div
      class={`progress ${percent === undefined ? 'unknown' : ''} ${isFull ? 'full' : ''}`}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
    >
      <span style={percent === undefined ? {} : { transform: `scaleX(${percent / 100})` }} />
    </div>
  );
}

export function Banner({ kind = 'warn', children }: { kind?: 'warn' | 'bad'; children: ComponentChildren }) {
  return (
    <div class={`banner ${kind === 'bad' ? 'bad' : ''}`} role={kind === 'bad' ? 'alert' : undefined}>
      <Icon name="warn" />
      <div>{children}</div>
    </div>
  );
}

/** Shows a failure in a banner, and nothing when `of` is null. */
export function FailureBanner({ of, children }: { of: unknown; children?: ComponentChildren }) {
  if (of === null) return null;
  return (
    <Banner kind="bad">
      <div class="row">
        <Failure of={of} />
        {children}
      </div>
    </Banner>
  );
}

export function Empty({ icon, children }: { icon: IconName; children: ComponentChildren }) {
  return (
    <div class="empty">
      <Icon name={icon} />
      <p>{children}</p>
    </div>
  );
}

/** Shows what was loaded; before that, that it loads or why it could not be loaded. */
export function Shown<Value>({ of, children }: { of: Loaded<Value>; children: (value: Value) => ComponentChildren }) {
  const { common } = text();
  return (
    <>
      <FailureBanner of={of.failure}>
        <Button small onClick={of.reload}>
          {common.retry}
        </Button>
      </FailureBanner>
      {of.value === null
        ? of.failure === null && <Progress label={common.loading} fraction={null} />
        : children(of.value)}
    </>
  );
}

export function Notices() {
  const { common } = text();
  return (
    <div class="notices" role="status" aria-live="polite">
      {notices.value.map(({ id, kind, sentence, detail }) => (
        <div key={id} class={`notice ${kind}`}>
          <Explained sentence={sentence} detail={detail} />
          <span class="push">
            <IconButton icon="close" label={common.close} onClick={() => dismiss(id)} />
          </span>
        </div>
      ))}
    </div>
  );
}

const STATUS_KINDS: Readonly<Record<string, string>> = { completed: 'good', failed: 'bad', processing: 'busy' };

export function StatusBadge({ status }: { status: string }) {
  return <span class={`badge ${STATUS_KINDS[status] ?? ''}`}>{text().status[status] ?? status}</span>;
}
