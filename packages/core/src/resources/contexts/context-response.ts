import * as v from 'valibot'
import type { ContextInstance, SeenContext } from '../../models/contexts/seen-context.ts'
import type { EnvironmentKeys } from '../../models/environments/environment-keys.ts'
import type { ReadContext } from '../../operation/context.ts'
import { path, selfAndParent } from '../../operation/link.ts'
import { anyObject, links, list, timestamp } from '../../operation/schema.ts'
import { contextOf } from '../../rules/contexts/sighting.ts'

const foundContexts = <S extends v.GenericSchema>(item: S) =>
  v.object({
    _environmentId: v.string(),
    items: list(item),
    totalCount: v.optional(v.number()),
    continuationToken: v.optional(v.string()),
    _links: links(),
  })

const seenContextResponse = v.object({ _links: links(), context: anyObject(), lastSeen: timestamp() })

/** Response with contexts of one kind. */
export const contextsResponse = foundContexts(seenContextResponse)

const instanceResponse = v.object({
  _links: links(),
  id: v.string(),
  context: anyObject(),
  anonymousKinds: v.optional(list(v.string())),
  lastSeen: timestamp(),
})

/** Response with combinations of contexts. */
export const contextInstancesResponse = foundContexts(instanceResponse)

/** Serializes a context of one kind. */
export function serializeContext(
  { format }: Pick<ReadContext, 'format'>,
  { context, lastSeen }: SeenContext,
  { projectKey, environmentKey }: EnvironmentKeys,
): v.InferOutput<typeof seenContextResponse> {
  const parent = path`/api/v2/projects/${projectKey}/environments/${environmentKey}`
  return {
    _links: selfAndParent(parent + path`/contexts/${context.kind}/${context.key}`, parent),
    context,
    lastSeen: format.time(lastSeen),
  }
}

/** Serializes a combination of contexts. */
export function serializeInstance(
  { format }: Pick<ReadContext, 'format'>,
  { id, contexts, anonymousKinds, lastSeen }: ContextInstance,
  { projectKey, environmentKey }: EnvironmentKeys,
): v.InferOutput<typeof instanceResponse> {
  const parent = path`/api/v2/projects/${projectKey}/environments/${environmentKey}`
  return {
    _links: selfAndParent(parent + path`/context-instances/${id}`, parent),
    id,
    context: contextOf(contexts),
    ...(anonymousKinds.length > 0 ? { anonymousKinds } : {}),
    lastSeen: format.time(lastSeen),
  }
}
