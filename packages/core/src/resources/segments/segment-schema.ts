import * as v from 'valibot'
import { type BigList, type Segment, type SegmentKeys, segments } from '../../models/segments/segment.ts'
import type { ReadContext } from '../../operation/context.ts'
import { type Link, path, selfAndParent } from '../../operation/link.ts'
import { accessDetails, link, links, list, name, tags, text, timestamp } from '../../operation/schema.ts'
import { clauseRequest, clauseResponse, contextKind } from '../targeting/clause-schema.ts'
import { isImporting } from './imports/import-lock.ts'
import { segmentAt } from './segment-at.ts'

/** Schema of the key of a context, such as a user's id or e-mail address. */
export const targetKey = () =>
  v.pipe(v.string(), v.minLength(1, 'must not be empty'), v.maxLength(256, 'must have at most 256 characters'))

/** Schema of the share of the matching contexts that a rule includes, in thousandths of a percent. */
export const ruleWeight = () =>
  v.pipe(
    v.number(),
    v.integer('must be an integer'),
    v.minValue(0, 'must be at least 0'),
    v.maxValue(100_000, 'must be at most 100000'),
  )

const contextTargets = <Key extends v.GenericSchema<string>>(key: Key) =>
  v.strictObject({ contextKind: contextKind(), values: list(key) })

/** A rule in a request. The engine generates an id for a rule without one. */
const ruleRequest = v.strictObject({
  _id: v.optional(v.string()),
  clauses: list(clauseRequest),
  weight: v.optional(ruleWeight()),
  rolloutContextKind: v.optional(contextKind()),
  bucketBy: v.optional(v.pipe(v.string(), v.maxLength(256, 'must have at most 256 characters'))),
  description: v.optional(text()),
})

/** Settings about the source of the keys of a synced segment. */
const syncedSettings = {
  _external: v.optional(name()),
  _externalLink: v.optional(
    v.pipe(
      v.string(),
      v.maxLength(2_048, 'must have at most 2048 characters'),
      v.regex(/^https?:\/\/\S+$/i, 'must be an http or https URL'),
    ),
  ),
}

/** Properties of a segment that a patch can set. */
export const segmentSettings = v.object({
  name: name(),
  description: v.optional(text()),
  tags: tags(),
  included: list(targetKey()),
  excluded: list(targetKey()),
  includedContexts: list(contextTargets(targetKey())),
  excludedContexts: list(contextTargets(targetKey())),
  rules: list(ruleRequest),
  ...syncedSettings,
})

export type RuleRequest = v.InferOutput<typeof ruleRequest>

const ruleResponse = v.object({
  _id: v.string(),
  clauses: list(clauseResponse),
  weight: v.optional(v.number()),
  rolloutContextKind: v.optional(v.string()),
  bucketBy: v.optional(v.string()),
  description: v.optional(v.string()),
})

const unboundedMetadata = v.object({
  envId: v.string(),
  segmentId: v.string(),
  version: v.number(),
  includedCount: v.number(),
  excludedCount: v.number(),
  lastModified: v.number(),
  deleted: v.boolean(),
})

const targetingFlag = v.object({ name: v.string(), key: v.string(), _links: links(), _site: link() })

export type TargetingFlag = v.InferOutput<typeof targetingFlag>

const segmentObject = v.object({
  name: v.string(),
  tags: list(v.string()),
  creationDate: timestamp(),
  lastModifiedDate: timestamp(),
  key: v.string(),
  _links: links(),
  rules: list(ruleResponse),
  version: v.number(),
  deleted: v.boolean(),
  generation: v.number(),
  description: v.optional(v.string()),
  included: list(v.string()),
  excluded: v.optional(list(v.string())),
  includedContexts: list(contextTargets(v.string())),
  excludedContexts: list(contextTargets(v.string())),
  _access: accessDetails(),
  _flags: v.optional(list(targetingFlag)),
  unbounded: v.boolean(),
  unboundedContextKind: v.optional(v.string()),
  _unboundedMetadata: v.optional(unboundedMetadata),
  _external: v.optional(v.string()),
  _externalLink: v.optional(v.string()),
  _importInProgress: v.optional(v.boolean()),
})

/** A segment in a response. */
export interface SegmentResponse extends v.InferOutput<typeof segmentObject> {}

export const segmentResponse: v.GenericSchema<SegmentResponse> = segmentObject

/**
 * Serializes a segment.
 *
 * @param flags the flags that target it; only the response for a single segment contains them (docs/specification.md).
 */
export async function serializeSegment(
  context: ReadContext,
  keys: SegmentKeys,
  stored: Segment,
  flags?: readonly TargetingFlag[],
): Promise<SegmentResponse> {
  const segment = segmentAt(stored, context)
  const [_access, importing] = await Promise.all([
    context.access(segments, keys, segment),
    segment.unbounded && isImporting({ tx: context.tx, host: context.useHost() }, keys),
  ])
  const response: SegmentResponse = {
    name: segment.name,
    tags: segment.tags,
    creationDate: context.format.time(segment.createdAt),
    lastModifiedDate: context.format.time(segment.lastModified),
    key: segment.key,
    _links: linksOf(keys),
    rules: segment.rules,
    version: segment.version,
    deleted: false,
    generation: segment.generation,
    included: segment.included,
    includedContexts: segment.includedContexts,
    excludedContexts: segment.excludedContexts,
    unbounded: segment.unbounded,
    _access,
  }
  if (flags !== undefined) response._flags = flags
  if (segment.description !== undefined) response.description = segment.description
  if (segment.unbounded) Object.assign(response, serializeBigSegment(segment, importing))
  else response.excluded = segment.excluded
  if (segment._external !== undefined) response._external = segment._external
  if (segment._externalLink !== undefined) response._externalLink = segment._externalLink
  return response
}

function serializeBigSegment(segment: Segment, importing: boolean): Partial<SegmentResponse> {
  const { bigIncluded: included = emptyList, bigExcluded: excluded = emptyList } = segment
  return {
    unboundedContextKind: segment.unboundedContextKind,
    _unboundedMetadata: {
      envId: segment.environmentId,
      segmentId: segment.id,
      // Version of the keys only: a renamed segment still has the same keys.
      version: 1 + included.revision + excluded.revision,
      includedCount: included.count,
      excludedCount: excluded.count,
      lastModified: Math.max(included.changedAt, excluded.changedAt),
      deleted: false,
    },
    _importInProgress: importing,
  }
}

const emptyList: BigList = { count: 0, revision: 0, changedAt: 0 }

function linksOf(keys: SegmentKeys): Record<'self' | 'parent', Link> {
  return selfAndParent(segmentPath(keys), path`/api/v2/segments/${keys.projectKey}/${keys.environmentKey}`)
}

export function segmentPath({ projectKey, environmentKey, segmentKey }: SegmentKeys): string {
  return path`/api/v2/segments/${projectKey}/${environmentKey}/${segmentKey}`
}

/** Serializes a flag in the list of flags that target a segment. */
export function serializeTargetingFlag(
  { projectKey, environmentKey }: SegmentKeys,
  flag: { readonly key: string; readonly name: string },
): TargetingFlag {
  const flagsPath = path`/api/v2/flags/${projectKey}`
  return {
    name: flag.name,
    key: flag.key,
    _links: selfAndParent(path`/api/v2/flags/${projectKey}/${flag.key}`, flagsPath),
    _site: { href: path`/${projectKey}/${environmentKey}/features/${flag.key}`, type: 'text/html' },
  }
}
