import * as v from 'valibot'
import { dictionary } from '../../operation/schema.ts'
import { userKind } from '../../rules/targeting/clause.ts'
import type { Serve } from '../../rules/targeting/serve.ts'
import type { VariationId } from '../../rules/targeting/variation-indexes.ts'
import { contextKind } from './clause-schema.ts'
import type { VariationLookup } from './instruction.ts'
import { attributeName, weight } from './targeting-schema.ts'

/** Schema entries of an instruction for the outcome of a rule: a variation, or weights by variation id. */
export const serveEntries = {
  variationId: v.optional(v.string()),
  rolloutWeights: v.optional(dictionary(v.string(), weight())),
  rolloutBucketBy: v.optional(attributeName()),
  rolloutContextKind: v.optional(contextKind()),
}

type ServeRequest = v.InferOutput<v.ObjectSchema<typeof serveEntries, undefined>>

/** Returns what to serve, with variations given by index. */
export function serveOf(edit: VariationLookup, request: ServeRequest, path = ''): Serve {
  const { variationId, rolloutWeights, rolloutBucketBy, rolloutContextKind = userKind } = request
  if ((variationId === undefined) === (rolloutWeights === undefined)) {
    return edit.refuse(`${path}variationId`, 'must be given, or rolloutWeights must be, but not both')
  }
  if (variationId !== undefined) return { variation: variationIndexOf(edit, variationId, `${path}variationId`) }
  const variations = Object.entries(rolloutWeights ?? {})
    .map(([id, share]) => ({ variation: variationIndexOf(edit, id, `${path}rolloutWeights`), weight: share }))
    .sort((a, b) => a.variation - b.variation)
  const bucketBy = rolloutBucketBy === undefined ? {} : { bucketBy: rolloutBucketBy }
  return { rollout: { variations, contextKind: rolloutContextKind, ...bucketBy } }
}

/** Returns the index of a variation of the edited flag. */
export function variationIndexOf(edit: VariationLookup, variationId: string, attribute = 'variationId'): number {
  return indexInVariations(edit, edit.variations, { variationId, attribute })
}

/** The id of a variation, and the attribute of the request that contains it. */
export interface VariationInput {
  readonly variationId: string
  readonly attribute: string
}

/** Returns the index of a variation in a list of variations, which can belong to another flag. */
export function indexInVariations(
  edit: Pick<VariationLookup, 'refuse'>,
  variations: readonly VariationId[],
  { variationId, attribute }: VariationInput,
): number {
  const index = variations.findIndex(({ _id }) => _id === variationId)
  return index < 0 ? edit.refuse(attribute, 'must be the _id of a variation') : index
}
