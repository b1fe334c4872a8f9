import * as v from 'valibot'
import type { ReadContext } from '../../operation/context.ts'
import { linkTo, path, selfAndParent } from '../../operation/link.ts'
import { accessDetails, jsonObject, links, name, timestamp } from '../../operation/schema.ts'
import { type Destination, destinations } from './destination.ts'
import { type DestinationKind, destinationKinds } from './destination-kinds.ts'

const kindNames = Object.keys(destinationKinds) as DestinationKind[]

/** Kind of a destination. */
export const destinationKind = v.picklist(kindNames)

/** Properties of a destination that a caller may set by a patch. The configuration is also validated for its kind. */
export const destinationSettings = v.object({
  name: name(),
  on: v.boolean(),
  config: jsonObject(),
})

const destinationObject = v.object({
  _links: links(),
  _id: v.string(),
  name: v.string(),
  kind: v.string(),
  version: v.number(),
  on: v.boolean(),
  config: v.record(v.string(), v.string()),
  /** Why the engine turned the destination off, as a sentence. */
  disabledReason: v.optional(v.string()),
  createdAt: timestamp(),
  _access: v.optional(accessDetails()),
})

/** A destination in a response. */
export interface DestinationResponse extends v.InferOutput<typeof destinationObject> {}

export const destinationResponse: v.GenericSchema<DestinationResponse> = destinationObject

export async function serializeDestination(
  context: ReadContext,
  destination: Destination,
): Promise<DestinationResponse> {
  const { id, projectKey, environmentKey, credentials, createdAt, ...properties } = destination
  return {
    ...properties,
    _links: {
      ...selfAndParent(path`/api/v2/destinations/${projectKey}/${environmentKey}/${id}`, '/api/v2/destinations'),
      environment: linkTo(path`/api/v2/projects/${projectKey}/environments/${environmentKey}`),
    },
    _id: id,
    createdAt: context.format.time(createdAt),
    _access: await context.access(destinations, { projectKey, environmentKey, id }, destination),
  }
}
