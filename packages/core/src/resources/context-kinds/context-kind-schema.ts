import * as v from 'valibot'
import type { ContextKind } from '../../models/context-kinds/context-kind.ts'
import type { ReadContext } from '../../operation/context.ts'
import { linkTo, path } from '../../operation/link.ts'
import { links, name, storedOnly, text, timestamp } from '../../operation/schema.ts'
import { userKind } from '../../rules/targeting/clause.ts'

/** Request body that replaces a context kind. Omitted properties are reset to their defaults. */
export const contextKindRequest = v.strictObject({
  name: name(),
  description: v.optional(text(), ''),
  hideInTargeting: v.optional(storedOnly(v.boolean()), false),
  archived: v.optional(v.boolean(), false),
  /** The version to replace. Any version when omitted. */
  version: v.optional(v.pipe(v.number(), v.integer('must be an integer'))),
})

export const contextKindResponse = v.object({
  _links: links(),
  key: v.string(),
  name: v.string(),
  description: v.string(),
  version: v.number(),
  creationDate: timestamp(),
  lastModified: timestamp(),
  createdFrom: v.picklist(['default', 'manual']),
  hideInTargeting: storedOnly(v.boolean()),
  archived: v.boolean(),
})

export function serializeContextKind(
  { format }: ReadContext,
  projectKey: string,
  kind: ContextKind,
): v.InferOutput<typeof contextKindResponse> {
  const { createdAt, lastModified, holds, ...properties } = kind
  return {
    ...properties,
    _links: { parent: linkTo(path`/api/v2/projects/${projectKey}/context-kinds`) },
    version: visibleVersion(kind),
    creationDate: format.time(createdAt),
    lastModified: format.time(lastModified),
    createdFrom: kind.key === userKind ? 'default' : 'manual',
  }
}

/** Returns the version in responses. The first version is 1; `user` has version 1 even while it is not stored. */
export function visibleVersion({ key, version }: ContextKind): number {
  return key === userKind ? version + 1 : version
}
