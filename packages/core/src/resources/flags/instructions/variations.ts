import * as v from 'valibot'
import { name, text } from '../../../operation/schema.ts'
import { jsonEqual } from '../../../rules/json-equal.ts'
import { indexMapping, renumberVariations } from '../../../rules/targeting/variation-indexes.ts'
import { variationName } from '../../targeting/instruction-sentences.ts'
import { variationIndexOf } from '../../targeting/serve-request.ts'
import { type FlagEdit, flagInstruction } from './instruction.ts'

const variationId = v.string()
const details = { name: v.optional(name()), description: v.optional(text()) }

/** Instructions that change the variations of a flag, in all environments. */
export const variationInstructions = [
  flagInstruction(
    'addVariation',
    ({ it }, { name, value }) => `added the variation ${variationName({ name, value })} to ${it}`,
    { value: v.unknown(), ...details },
    ({ flag, newId }, instruction) => {
      flag.variations.push({ _id: newId(), ...instruction })
    },
  ),
  flagInstruction(
    'updateVariation',
    ({ it, variation }, { variationId }) => `changed the variation ${variation(variationId)} of ${it}`,
    { variationId, value: v.optional(v.unknown()), ...details },
    (edit, instruction) => {
      const { variationId, ...changes } = instruction
      Object.assign(edit.flag.variations[variationIndexOf(edit, variationId)] as object, changes)
    },
  ),
  flagInstruction(
    'removeVariation',
    ({ it, variation }, { variationId }) => `removed the variation ${variation(variationId)} from ${it}`,
    { variationId },
    removeVariation,
  ),
  flagInstruction(
    'updateDefaultVariation',
    ({ it }) => `changed the default variations of ${it}`,
    { onVariationValue: v.optional(v.unknown()), offVariationValue: v.optional(v.unknown()) },
    (edit, { onVariationValue: on, offVariationValue: off }) => {
      const { defaults } = edit.flag
      if (on !== undefined) defaults.onVariation = indexOfValue(edit, 'onVariationValue', on)
      if (off !== undefined) defaults.offVariation = indexOfValue(edit, 'offVariationValue', off)
    },
  ),
] as const

/**
 * Removes a variation. The indexes of the following variations change together, so that later instructions refer to the
 * right ones.
 */
function removeVariation(edit: FlagEdit, { variationId }: { readonly variationId: string }): void {
  const { flag, config } = edit
  variationIndexOf(edit, variationId)
  const remaining = flag.variations.filter(({ _id }) => _id !== variationId)
  const newIndexOf = indexMapping(flag.variations, remaining)
  flag.variations = remaining
  const { onVariation, offVariation } = flag.defaults
  flag.defaults = { onVariation: newIndexOf(onVariation), offVariation: newIndexOf(offVariation) }
  if (config) Object.assign(config, renumberVariations(config, newIndexOf))
}

function indexOfValue({ flag, refuse }: FlagEdit, attribute: string, value: unknown): number {
  const index = flag.variations.findIndex((variation) => jsonEqual(variation.value, value))
  return index < 0 ? refuse(attribute, 'must be the value of a variation') : index
}
