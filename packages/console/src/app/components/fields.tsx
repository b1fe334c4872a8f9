import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

interface FieldProps {
  readonly label: string
  readonly help?: string | undefined
  readonly error?: string | undefined
}

function useField({ help, error }: Omit<FieldProps, 'label'>) {
  const id = useId()
  const describedBy = [help && `${id}-help`, error && `${id}-error`].filter(Boolean).join(' ')
  return {
    id,
    attributes: { id, 'aria-describedby': describedBy || undefined, 'aria-invalid': error ? true : undefined },
  }
}

function Frame({ id, label, help, error, children }: FieldProps & { id: string; children: ComponentChildren }) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children}
      {help && (
        <small id={`${id}-help`} class="quiet">
          {help}
        </small>
      )}
      {error && (
        <small id={`${id}-error`} class="error">
          {error}
        </small>
      )}
    </div>
  )
}

/** A text field with its label. */
export function TextField({
  label,
  help,
  error,
  value,
  onValue,
  ...input
}: FieldProps & {
  value: string
  onValue: (value: string) => void
  type?: 'text' | 'search' | 'password' | 'datetime-local' | 'color'
  required?: boolean
  pattern?: string
  placeholder?: string
  autocomplete?: 'off'
}) {
  const { id, attributes } = useField({ help, error })
  // The types of JSX describe an input element by its literal type, which is a variable here.
  const properties: object = { ...input, ...attributes }
  return (
    <Frame id={id} label={label} help={help} error={error}>
      <input {...properties} value={value} onInput={(event) => onValue(event.currentTarget.value)} />
    </Frame>
  )
}

/** A field that chooses a file of the person. */
export function FileField({
  label,
  help,
  accept,
  onFile,
}: FieldProps & {
  /** Extensions and media types of the files, separated by commas. */
  accept: string
  onFile: (file: File | undefined) => void
}) {
  const { id, attributes } = useField({ help })
  return (
    <Frame id={id} label={label} help={help}>
      <input
        {...attributes}
        type="file"
        accept={accept}
        onChange={(event) => onFile(event.currentTarget.files?.[0] ?? undefined)}
      />
    </Frame>
  )
}

/** A field for several lines. */
export function TextArea({
  label,
  help,
  error,
  value,
  onValue,
  rows = 3,
  code = false,
}: FieldProps & { value: string; onValue: (value: string) => void; rows?: number; code?: boolean }) {
  const { id, attributes } = useField({ help, error })
  return (
    <Frame id={id} label={label} help={help} error={error}>
      <textarea
        {...attributes}
        rows={rows}
        spellcheck={!code}
        class={code ? 'code' : undefined}
        value={value}
        onInput={(event) => onValue(event.currentTarget.value)}
      />
    </Frame>
  )
}

/** A list of choices with its label. */
export function SelectField<Value extends string>({
  label,
  help,
  value,
  onValue,
  options,
  required = false,
}: FieldProps & {
  value: Value
  onValue: (value: Value) => void
  options: readonly (readonly [value: Value, text: string])[]
  /** True when a person must choose an option whose value is not empty. Default: false. */
  required?: boolean
}) {
  const { id, attributes } = useField({ help })
  return (
    <Frame id={id} label={label} help={help}>
      <select
        {...attributes}
        required={required}
        value={value}
        onChange={(event) => onValue(event.currentTarget.value as Value)}
      >
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </Frame>
  )
}

/** A checkbox. */
export function CheckField({
  label,
  checked,
  onChecked,
}: {
  label: string
  checked: boolean
  onChecked: (checked: boolean) => void
}) {
  return (
    <label class="check">
      <input type="checkbox" checked={checked} onChange={(event) => onChecked(event.currentTarget.checked)} />
      {label}
    </label>
  )
}

/** A switch that is on or off. */
export function Switch({
  label,
  checked,
  onToggle,
  disabled = false,
  hideLabel = false,
}: {
  label: string
  checked: boolean
  onToggle: () => void
  disabled?: boolean
  hideLabel?: boolean
}) {
  return (
    <button
      type="button"
      role="switch"
      class="switch"
      aria-checked={checked}
      aria-label={hideLabel ? label : undefined}
      disabled={disabled}
      onClick={onToggle}
    >
      <span class="switch-track" aria-hidden="true" />
      {!hideLabel && <span class="switch-label">{label}</span>}
    </button>
  )
}
