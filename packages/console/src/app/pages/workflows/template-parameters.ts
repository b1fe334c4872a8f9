import type { api, Flag, ResponseOf } from '../../api.ts'
import { readJson } from '../../components/json-text.ts'
import { texts } from '../../texts.ts'
import { instructionNames } from '../instruction-list.tsx'

const { workflows } = texts

/** A workflow template with its stages and parameters. */
export type Template = ResponseOf<'getWorkflowTemplates'>['items'][number]

type Parameter = NonNullable<Template['parameters']>[number]

type ParameterValues = NonNullable<Parameters<typeof api.postWorkflow>[0]['body']['parameters']>

/** The place of a value in the stages: a condition, which has a date, or an instruction. */
interface ParameterPlace {
  readonly stage: number
  readonly list: 'conditions' | 'instructions'
  readonly index: number
}

function placeOf({ at }: Parameter): ParameterPlace {
  const [, stage, part, ...rest] = at.split('/')
  const list = part === 'conditions' ? part : 'instructions'
  return { stage: Number(stage), list, index: Number(rest.at(-1)) }
}

/** Returns the label of the field for a parameter. */
export function labelOf({ stages = [] }: Template, parameter: Parameter): string {
  const { stage, list, index } = placeOf(parameter)
  const name = workflows.stage(stage + 1, stages[stage]?.name)
  if (list === 'conditions') return workflows.parameterOfCondition(name, index + 1)
  const instruction = stages[stage]?.action.instructions[index] ?? {}
  return workflows.parameterOfAction(name, instructionNames([instruction]), parameter.path.slice(1))
}

/** Returns the kind of the field for a parameter. */
export function kindOf(parameter: Parameter): 'date' | 'variation' | 'json' {
  if (placeOf(parameter).list === 'conditions') return 'date'
  return /variationId$/i.test(parameter.path) ? 'variation' : 'json'
}

/** Returns the text with which the field of a parameter begins; empty where the flag has no such variation. */
export function initialText(flag: Flag, parameter: Parameter): string {
  const { value, booleanVariationValue } = parameter.default
  if (kindOf(parameter) === 'date') return ''
  if (kindOf(parameter) === 'json') return JSON.stringify(value)
  const isDefault = (variation: Flag['variations'][number]) =>
    variation._id === value || (booleanVariationValue !== undefined && variation.value === booleanVariationValue)
  return flag.variations.find(isDefault)?._id ?? ''
}

/**
 * Returns the values that a request replaces in a template; undefined when a text is not JSON. A JSON value that the
 * person did not change is left out of the request, because the API replaces the template's ids in it by the ids of the
 * flag.
 *
 * @param entered texts of the fields, by the ids of the parameters.
 */
export function parameterValues(
  flag: Flag,
  parameters: readonly Parameter[],
  entered: Readonly<Record<string, string>>,
): ParameterValues | undefined {
  const values = parameters.map((parameter) => {
    const text = entered[parameter._id] ?? ''
    const kind = kindOf(parameter)
    if (kind === 'date') return { parameter, value: new Date(text).getTime() }
    if (kind === 'variation') return { parameter, value: text }
    return text === initialText(flag, parameter) ? undefined : { parameter, ...readJson(text) }
  })
  const changed = values.filter((each) => each !== undefined)
  if (changed.some((each) => 'error' in each)) return undefined
  return changed.map(({ parameter, ...read }) => ({
    _id: parameter._id,
    default: { value: 'value' in read ? read.value : undefined },
  }))
}
