import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { text } from '#console/core/text.ts';
import { IconButton } from '#console/ui/button.tsx';

/** A window over the transcript with a title and a button that closes it. */
export function Sheet({
  title,
  onClose,
  children,
}: {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="export" aria-label={title} onClose={onClose}>
      <header class="row">
        <h2>{title}</h2>
        <span class="push">
          <IconButton icon="close" label={text().common.close} onClick={() => dialog.current?.close()} />
        </span>
      </header>
      {children}
    </dialog>
  );
}

/** Every key of the transcript on one sheet. */
export function Shortcuts({ onClose }: { onClose: () => void }) {
  const { shortcuts } = text().transcript;
  return (
    <Sheet title={shortcuts.title} onClose={onClose}>
      <dl class="shortcut-list">
        {shortcuts.keys.map(([keys, does]) => (
          <div key={keys}>
            <dt>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Sheet>
  );
}
