import * as v from 'valibot'
import { name, text } from '../../../operation/schema.ts'
import { jsonEqual } from '../../../rules/json-equal.ts'
import { placesIn, renumbered } from '../../../rules/targeting/variation-places.ts'
import { indexOf } from '../../targeting/serve-request.ts'
import { type FlagEdit, flagInstruction } from './instruction.ts'

const variationId = v.string()
const details = { name: v.optional(name()), description: v.optional(text()) }

/** Instructions that change the variations of a flag, in all environments. */
export const variationInstructions = [
  flagInstruction('addVariation', { value: v.unknown(), ...details }, ({ flag, newId }, given) => {
    flag.variations.push({ _id: newId(), ...given })
  }),
  flagInstruction('updateVariation', { variationId, value: v.optional(v.unknown()), ...details }, (edit, given) => {
    const { variationId, ...changes } = given
    Object.assign(edit.flag.variations[indexOf(edit, variationId)] as object, changes)
  }),
  flagInstruction('removeVariation', { variationId }, removeVariation),
  flagInstruction(
    'updateDefaultVariation',
    { onVariationValue: v.optional(v.unknown()), offVariationValue: v.optional(v.unknown()) },
    (edit, { onVariationValue: on, offVariationValue: off }) => {
      const { defaults } = edit.flag
      if (on !== undefined) defaults.onVariation = placeOfValue(edit, 'onVariationValue', on)
      if (off !== undefined) defaults.offVariation = placeOfValue(edit, 'offVariationValue', off)
    },
  ),
] as const

/**
 * Removes a variation. The indexes of the following variations change at once, so that later instructions refer to the
 * right ones.
 */
function removeVariation(edit: FlagEdit, { variationId }: { readonly variationId: string }): void {
  const { flag, config } = edit
  indexOf(edit, variationId)
  const left = flag.variations.filter(({ _id }) => _id !== variationId)
  const place = placesIn(flag.variations, left)
  flag.variations = left
  const { onVariation, offVariation } = flag.defaults
  flag.defaults = { onVariation: place(onVariation), offVariation: place(offVariation) }
  if (config) Object.assign(config, renumbered(config, place))
}

function placeOfValue({ flag, refuse }: FlagEdit, attribute: string, value: unknown): number {
  const index = flag.variations.findIndex((variation) => jsonEqual(variation.value, value))
  return index < 0 ? refuse(attribute, 'must be the value of a variation') : index
}
