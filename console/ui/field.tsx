import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

/** A field hands these to its control, so that label, hint and fault belong to it. */
type ControlProps = { id: string; 'aria-describedby': string | undefined; 'aria-invalid': boolean };

export function Field({
  label,
  hint,
  fault,
  children,
}: {
  label: ComponentChildren;
  hint?: ComponentChildren;
  fault?: string | null | undefined;
  children: (control: ControlProps) => ComponentChildren;
}) {
  const id = useId();
  const hasFault = fault !== undefined && fault !== null;
  const described = hasFault || hint !== undefined;
  return (
    <div class="field">
      <label class="label" for={id}>
        {label}
      </label>
      {children({ id, 'aria-describedby': described ? `${id}-hint` : undefined, 'aria-invalid': hasFault })}
      {described ? (
        <div id={`${id}-hint`} class={hasFault ? 'fault' : 'hint'} role={hasFault ? 'alert' : undefined}>
          {hasFault ? fault : hint}
        </div>
      ) : null}
    </div>
  );
}

export function SelectField<Value extends string>({
  label,
  hint,
  value,
  options,
  onChoose,
}: {
  label: string;
  hint?: string;
  value: Value;
  options: readonly { value: Value; label: string }[];
  onChoose: (value: Value) => void;
}) {
  return (
    <Field label={label} hint={hint}>
      {(control) => (
        <select
          {...control}
          class="input"
          value={value}
          onChange={({ currentTarget }) => onChoose(currentTarget.value as Value)}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

export function Switch({
  label,
  hint,
  checked,
  onChange,
}: {
  label: string;
  hint?: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}) {
  return (
    <label class="switch">
      <span>{label}</span>
      <input
        type="checkbox"
        role="switch"
        checked={checked}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      {hint === undefined ? null : <span class="hint">{hint}</span>}
    </label>
  );
}
