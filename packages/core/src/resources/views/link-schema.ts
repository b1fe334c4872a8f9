import * as v from 'valibot'
import type { ViewKeys } from '../../models/views/view.ts'
import type { Context } from '../../operation/context.ts'
import { path, selfAndParent } from '../../operation/link.ts'
import { key, links, list, text, timestamp } from '../../operation/schema.ts'
import type { Reader } from '../../storage/reader.ts'
import type { LinkKind, LinkTarget, ViewLinks } from './link-kind.ts'
import { viewPath } from './view-schema.ts'

/** Maximum number of resources that one request can name. A filter can match more. */
const maxNamed = 1_000

const namedList = <Item extends v.GenericSchema>(item: Item) =>
  v.optional(v.pipe(list(item), v.maxLength(maxNamed, `must contain at most ${maxNamed} items`)))

/**
 * Resources to be linked or unlinked (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d19-links-to-a-view):
 * resources that are named, resources that match a filter, or both. The rules that depend on the kind are checked
 * later, when the kind is known.
 */
export const linkRequest = v.pipe(
  v.strictObject({
    keys: namedList(key()),
    segmentIdentifiers: namedList(v.strictObject({ environmentId: key(), segmentKey: key() })),
    filter: v.optional(
      v.pipe(
        v.string(),
        v.check((value) => value.trim() !== '', 'must not be empty'),
      ),
    ),
    environmentId: v.optional(key()),
    comment: v.optional(text()),
  }),
  v.check(
    ({ keys, segmentIdentifiers, filter }) => (keys ?? segmentIdentifiers ?? filter) !== undefined,
    'must have keys, segmentIdentifiers or a filter',
  ),
  v.forward(
    v.check(({ keys, segmentIdentifiers }) => !keys || !segmentIdentifiers, 'must be left out when keys are given'),
    ['segmentIdentifiers'],
  ),
  v.forward(
    v.check(({ keys, environmentId }) => !keys || !environmentId, 'must be left out when keys are given'),
    ['environmentId'],
  ),
)

export type LinkRequest = v.InferOutput<typeof linkRequest>

const resourceDetails = v.object({
  key: v.string(),
  name: v.string(),
  description: v.optional(v.string()),
  tags: list(v.string()),
  creationDate: timestamp(),
})

export const linkedResourceResponse = v.object({
  _links: links(),
  resourceKey: v.string(),
  environmentId: v.optional(v.string()),
  environmentKey: v.optional(v.string()),
  resourceType: v.picklist(['flag', 'segment']),
  linkedAt: timestamp(),
  resourceDetails: v.optional(v.object({ flag: v.optional(resourceDetails), segment: v.optional(resourceDetails) })),
})

export type LinkedResource = v.InferOutput<typeof linkedResourceResponse>
export type ResourceDetails = v.InferOutput<typeof resourceDetails>

/** A resource that could not be linked or unlinked, and the reason. */
const failedResourceResponse = v.object({
  resourceKey: v.string(),
  environmentId: v.optional(v.string()),
  resourceType: v.picklist(['flag', 'segment']),
  errorMessage: v.string(),
})

export type FailedResource = v.InferOutput<typeof failedResourceResponse>

export const unlinkResponse = v.object({
  successCount: v.number(),
  failureCount: v.number(),
  failedResources: list(failedResourceResponse),
})

export const linkResponse = v.object({
  ...unlinkResponse.entries,
  linkedResources: v.object({ items: list(linkedResourceResponse), totalCount: v.number(), _links: links() }),
})

export function linkedPath(keys: ViewKeys, kind: LinkKind): string {
  return `${viewPath(keys)}${path`/linked/${kind.types}`}`
}

/** The resource to which a view is linked, and the time of the link. */
export interface TimedLink {
  readonly target: LinkTarget
  readonly linkedAt: number
}

/** Serializes a link. */
export function serializeLink(
  { format }: Pick<Context<Reader, never>, 'format'>,
  { kind, keys: view }: ViewLinks,
  { target, linkedAt }: TimedLink,
): LinkedResource {
  const { resourceKey, environmentId, environmentKey } = target
  return {
    _links: selfAndParent(kind.path(view.projectKey, target), linkedPath(view, kind)),
    resourceKey,
    // Indexed fields have null where a document has no value.
    ...(environmentId ? { environmentId } : {}),
    ...(environmentKey ? { environmentKey } : {}),
    resourceType: kind.type,
    linkedAt: format.time(linkedAt),
  }
}
