import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon.tsx';

type ButtonProps = {
  children?: ComponentChildren;
  icon?: IconName;
  kind?: 'primary' | 'danger' | 'quiet';
  small?: boolean;
  type?: 'button' | 'submit';
  disabled?: boolean;
  pressed?: boolean;
  /**
   * A screen reader says this in place of the text, where the text alone does not tell what is
   * meant.
   */
  label?: string;
  onClick?: (event: MouseEvent) => void;
};

export function Button({
  children,
  icon,
  kind,
  small,
  type = 'button',
  disabled,
  pressed,
  label,
  onClick,
}: ButtonProps) {
  return (
    <button
      type={type}
      class={['button', kind ?? '', small === true ? 'small' : ''].join(' ')}
      disabled={disabled}
      aria-pressed={pressed}
      aria-label={label}
      onClick={onClick}
    >
      {icon === undefined ? null : <Icon name={icon} />}
      {children}
    </button>
  );
}

/**
 * A button without a text; `label` is read out and shown as its tooltip. The Tab key passes over
 * one that is skipped, because a key of the field before it does the same.
 */
export function IconButton({
  icon,
  label,
  kind,
  small = true,
  disabled,
  pressed,
  isSkipped = false,
  onClick,
}: Omit<ButtonProps, 'children' | 'type' | 'label'> & { icon: IconName; label: string; isSkipped?: boolean }) {
  return (
    <button
      type="button"
      tabIndex={isSkipped ? -1 : undefined}
      class={['button icon', kind ?? 'quiet', small ? 'small' : ''].join(' ')}
      aria-label={label}
      title={label}
      disabled={disabled}
      aria-pressed={pressed}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}

/** A link that looks like a button. */
export function ButtonLink({
  href,
  children,
  icon,
  kind,
  small,
}: Pick<ButtonProps, 'children' | 'icon' | 'kind' | 'small'> & { href: string }) {
  return (
    <a class={['button', kind ?? '', small === true ? 'small' : ''].join(' ')} href={href}>
      {icon === undefined ? null : <Icon name={icon} />}
      {children}
    </a>
  );
}

/** Lets people choose one of a few values, all visible. */
export function Choices<Value extends string>({
  label,
  options,
  value,
  onChoose,
}: {
  label: string;
  options: readonly { value: Value; label: string }[];
  value: Value;
  onChoose: (value: Value) => void;
}) {
  return (
    <div class="choices" role="group" aria-label={label}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onChoose(option.value)}
        >
          {option.label}
        </button>
      ))}
    </div>
  );
}
