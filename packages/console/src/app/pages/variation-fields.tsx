import { TextArea, TextField } from '../components/fields.tsx'
import { readJson } from '../components/json-text.ts'
import { texts } from '../texts.ts'

export type VariationKind = keyof typeof texts.flags.kinds

/** A variation in a form: the value is text as the person typed it. */
export interface VariationDraft {
  readonly id: string
  readonly _id?: string | undefined
  readonly name: string
  readonly value: string
}

let count = 0

/** Makes a variation with an id for lists. */
export function newVariation(value = '', name = ''): VariationDraft {
  return { id: `new-${count++}`, value, name }
}

/** The variations with which a form for a new flag begins. */
export function emptyVariations(kind: VariationKind): VariationDraft[] {
  const presets = { boolean: ['true', 'false'], string: ['a', 'b'], number: ['1', '2'], json: ['{}', '[]'] }
  return presets[kind].map((value) => newVariation(value))
}

/** Returns the kind of the values of a flag. */
export function kindOf(values: readonly unknown[]): VariationKind {
  const [type = 'object', ...others] = new Set(values.map((value) => typeof value))
  return others.length === 0 && (type === 'boolean' || type === 'string' || type === 'number') ? type : 'json'
}

/** Parses the value of a variation; returns the reason when the text is not a value of the kind. */
export function readValue(text: string, kind: VariationKind): { readonly value: unknown } | { readonly error: string } {
  if (kind === 'string') return { value: text }
  const read = readJson(text)
  if ('error' in read) return { error: texts.variations.invalidJson(read.error) }
  if (kind === 'number' && typeof read.value !== 'number') return { error: texts.variations.invalidNumber }
  return read
}

/** Returns the variations of a form for a request; undefined when a value is invalid. */
export function readVariations(drafts: readonly VariationDraft[], kind: VariationKind) {
  const values = drafts.map(({ value }) => readValue(value, kind))
  if (values.some((read) => 'error' in read)) return undefined
  return drafts.map(({ _id, name }, index) => ({
    ...(_id === undefined ? {} : { _id }),
    ...(name === '' ? {} : { name }),
    value: (values[index] as { readonly value: unknown }).value,
  }))
}

/** Fields for the name and the value of each variation. */
export function VariationFields({
  kind,
  variations,
  onChange,
}: {
  kind: VariationKind
  variations: readonly VariationDraft[]
  onChange: (variations: readonly VariationDraft[]) => void
}) {
  const change = (id: string, changes: Partial<VariationDraft>) =>
    onChange(variations.map((variation) => (variation.id === id ? { ...variation, ...changes } : variation)))
  return (
    <>
      {variations.map(({ id, name, value }, index) => {
        const read = readValue(value, kind)
        const label = texts.variations.variation(index + 1)
        const field = {
          label: texts.variations.value,
          value,
          error: 'error' in read ? read.error : undefined,
          onValue: (text: string) => change(id, { value: text }),
        }
        return (
          <fieldset key={id}>
            <legend>{label}</legend>
            <TextField label={texts.name} value={name} onValue={(text) => change(id, { name: text })} />
            {kind === 'json' ? <TextArea {...field} rows={5} code /> : <TextField {...field} />}
            {kind !== 'boolean' && variations.length > 2 && (
              <button type="button" onClick={() => onChange(variations.filter((each) => each.id !== id))}>
                {texts.variations.remove(name || label)}
              </button>
            )}
          </fieldset>
        )
      })}
      {kind !== 'boolean' && (
        <button
          type="button"
          onClick={() => onChange([...variations, newVariation(kind === 'string' ? '' : kind === 'json' ? '{}' : '0')])}
        >
          {texts.variations.add}
        </button>
      )}
    </>
  )
}
