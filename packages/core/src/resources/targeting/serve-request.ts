import * as v from 'valibot'
import { dictionary } from '../../operation/schema.ts'
import { userKind } from '../../rules/targeting/clause.ts'
import type { Serve } from '../../rules/targeting/serve.ts'
import type { Placed } from '../../rules/targeting/variation-places.ts'
import { contextKind } from './clause-wire.ts'
import type { VariationNames } from './instruction.ts'
import { attributeName, weight } from './targeting-wire.ts'

/** Schema entries of an instruction for what to serve: a variation, or weights by variation id. */
export const serveMembers = {
  variationId: v.optional(v.string()),
  rolloutWeights: v.optional(dictionary(v.string(), weight())),
  rolloutBucketBy: v.optional(attributeName()),
  rolloutContextKind: v.optional(contextKind()),
}

type ServeRequest = v.InferOutput<v.ObjectSchema<typeof serveMembers, undefined>>

/** Returns what to serve, with variations given by index. */
export function serveOf(edit: VariationNames, request: ServeRequest, at = ''): Serve {
  const { variationId, rolloutWeights, rolloutBucketBy, rolloutContextKind = userKind } = request
  if ((variationId === undefined) === (rolloutWeights === undefined)) {
    return edit.refuse(`${at}variationId`, 'must be given, or rolloutWeights must be, but not both')
  }
  if (variationId !== undefined) return { variation: indexOf(edit, variationId, `${at}variationId`) }
  const variations = Object.entries(rolloutWeights ?? {})
    .map(([id, share]) => ({ variation: indexOf(edit, id, `${at}rolloutWeights`), weight: share }))
    .sort((a, b) => a.variation - b.variation)
  const bucketBy = rolloutBucketBy === undefined ? {} : { bucketBy: rolloutBucketBy }
  return { rollout: { variations, contextKind: rolloutContextKind, ...bucketBy } }
}

/** Returns the index of a variation of the edited flag. */
export function indexOf(edit: VariationNames, variationId: string, attribute = 'variationId'): number {
  return placeOf(edit, edit.variations, variationId, attribute)
}

/** Returns the index of a variation in a list of variations, which can belong to another flag. */
export function placeOf(
  edit: Pick<VariationNames, 'refuse'>,
  variations: readonly Placed[],
  variationId: string,
  attribute: string,
): number {
  const index = variations.findIndex(({ _id }) => _id === variationId)
  return index < 0 ? edit.refuse(attribute, 'must be the _id of a variation') : index
}
