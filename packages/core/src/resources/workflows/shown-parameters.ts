import * as v from 'valibot'
import type { TemplateParameter } from '../../models/workflows/workflow-template.ts'
import { list } from '../../operation/schema.ts'

const parameter = v.object({
  _id: v.string(),
  /** JSON Pointer to the condition or instruction, relative to the list of stages, e.g. `/0/action/instructions/1`. */
  at: v.string(),
  /** JSON Pointer to the value, relative to that condition or instruction. */
  path: v.string(),
  default: v.object({ value: v.optional(v.unknown()), booleanVariationValue: v.optional(v.boolean()) }),
  /** True in the response to the creation of a workflow: it is created with valid values only. */
  valid: v.optional(v.boolean()),
})

/** Response schema of the parameters of a template. */
export const shownParameters = list(parameter)

/** The response for a parameter. */
export function shownParameter(
  { id, at, path, value }: TemplateParameter,
  booleanVariations: Readonly<Record<string, boolean>> = {},
): v.InferOutput<typeof parameter> {
  const booleanVariationValue = typeof value === 'string' ? booleanVariations[value] : undefined
  return {
    _id: id,
    at,
    path,
    default: {
      ...(value === undefined ? {} : { value }),
      ...(booleanVariationValue === undefined ? {} : { booleanVariationValue }),
    },
  }
}
