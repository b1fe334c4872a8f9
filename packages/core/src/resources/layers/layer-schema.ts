import * as v from 'valibot'
import { type Layer, layers, shownReservations } from '../../models/layers/layer.ts'
import type { ReadContext } from '../../operation/context.ts'
import { path, selfAndParent } from '../../operation/link.ts'
import { accessDetails, key, links, list, name, text, timestamp } from '../../operation/schema.ts'

/** Request body of the creation of a layer. */
export const layerRequest = v.strictObject({ key: key(), name: name(), description: text() })

const reservationResponse = v.object({
  experimentKey: v.string(),
  flagKey: v.string(),
  reservationPercent: v.number(),
})

const layerObject = v.object({
  key: v.string(),
  name: v.string(),
  description: v.string(),
  createdAt: timestamp(),
  randomizationUnit: v.optional(v.string()),
  environments: v.record(v.string(), v.object({ reservations: list(reservationResponse) })),
  _links: links(),
  _access: v.optional(accessDetails()),
})

/** A layer in a response. */
export interface LayerResponse extends v.InferOutput<typeof layerObject> {}

export const layerResponse: v.GenericSchema<LayerResponse> = layerObject

/** Serializes a layer with its reservations by environment. */
export async function serializeLayer(
  context: ReadContext,
  layer: Layer,
  keys: { readonly projectKey: string; readonly layerKey: string },
): Promise<LayerResponse> {
  const { key, name, description, createdAt, randomizationUnit, reservations } = layer
  const parent = path`/api/v2/projects/${keys.projectKey}/layers`
  return {
    key,
    name,
    description,
    createdAt: context.format.time(createdAt),
    ...(randomizationUnit === undefined ? {} : { randomizationUnit }),
    ...shownReservations(reservations),
    _links: selfAndParent(`${parent}${path`/${key}`}`, parent),
    _access: await context.access(layers, keys, layer),
  }
}
