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
  flagInstruction({
    kind: 'addVariation',
    sentence: ({ it }, { name, value }) => `added the variation ${variationName({ name, value })} to ${it}`,
    entries: { value: v.unknown(), ...details },
    apply: ({ flag, newId }, instruction) => {
      flag.variations.push({ _id: newId(), ...instruction })
    },
  }),
  flagInstruction({
    kind: 'updateVariation',
    sentence: ({ it, variation }, { variationId }) => `changed the variation ${variation(variationId)} of ${it}`,
    entries: { variationId, value: v.optional(v.unknown()), ...details },
    apply: (edit, instruction) => {
      const { variationId, ...changes } = instruction
      Object.assign(edit.flag.variations[variationIndexOf(edit, variationId)] as object, changes)
    },
  }),
  flagInstruction({
    kind: 'removeVariation',
    sentence: ({ it, variation }, { variationId }) => `removed the variation ${variation(variationId)} from ${it}`,
    entries: { variationId },
    apply: removeVariation,
  }),
  flagInstruction({
    kind: 'updateDefaultVariation',
    sentence: ({ it }) => `changed the default variations of ${it}`,
    entries: { onVariationValue: v.optional(v.unknown()), offVariationValue: v.optional(v.unknown()) },
    apply: (edit, { onVariationValue: on, offVariationValue: off }) => {
      const { defaults } = edit.flag
      if (on !== undefined) defaults.onVariation = indexOfValue(edit, 'onVariationValue', on)
      if (off !== undefined) defaults.offVariation = indexOfValue(edit, 'offVariationValue', off)
    },
  }),
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
