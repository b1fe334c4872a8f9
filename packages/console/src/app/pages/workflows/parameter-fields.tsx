import type { Flag } from '../../api.ts'
import { SelectField, TextField } from '../../components/fields.tsx'
import { readJson } from '../../components/json-text.ts'
import { variationName } from '../../targeting/variation-name.ts'
import { texts } from '../../texts.ts'
import { kindOf, labelOf, type Template } from './template-parameters.ts'

const { workflows } = texts

/** Fields for the values of a template that a workflow replaces. */
export function ParameterFields({
  flag,
  template,
  values,
  onValue,
}: {
  flag: Flag
  template: Template
  /** Texts of the fields, by the ids of the parameters. */
  values: Readonly<Record<string, string>>
  onValue: (id: string, text: string) => void
}) {
  const { parameters = [] } = template
  if (parameters.length === 0) return null
  return (
    <fieldset>
      <legend>{workflows.parameters}</legend>
      {parameters.map((parameter) => {
        const { _id: id } = parameter
        const field = {
          label: labelOf(template, parameter),
          value: values[id] ?? '',
          onValue: (text: string) => onValue(id, text),
        }
        return <ParameterField key={id} flag={flag} kind={kindOf(parameter)} field={field} />
      })}
    </fieldset>
  )
}

function ParameterField({
  flag,
  kind,
  field,
}: {
  flag: Flag
  kind: ReturnType<typeof kindOf>
  field: { readonly label: string; readonly value: string; readonly onValue: (text: string) => void }
}) {
  if (kind === 'date') return <TextField {...field} type="datetime-local" required />
  if (kind === 'variation') {
    const choices = flag.variations.map((variation) => [variation._id, variationName(variation)] as const)
    return <SelectField {...field} required options={[['', workflows.choose], ...choices]} />
  }
  const read = readJson(field.value)
  return <TextField {...field} error={'error' in read ? texts.variations.invalidJson(read.error) : undefined} />
}
