import type { RefObject } from 'preact';

/**
 * The hidden input behind a button that clicks it. It forgets the choice, so that the same files
 * can be chosen again.
 */
export function FileInput({
  input,
  accept,
  multiple = false,
  onChoose,
}: {
  input: RefObject<HTMLInputElement | null>;
  accept: string;
  multiple?: boolean;
  onChoose: (files: readonly [File, ...File[]]) => void;
}) {
  return (
    <input
      ref={input}
      class="visually-hidden"
      type="file"
      accept={accept}
      multiple={multiple}
      tabIndex={-1}
      aria-hidden
      onChange={({ currentTarget }) => {
        const [first, ...furtherFiles] = currentTarget.files ?? [];
        if (first !== undefined) onChoose([first, ...furtherFiles]);
        currentTarget.value = '';
      }}
    />
  );
}
