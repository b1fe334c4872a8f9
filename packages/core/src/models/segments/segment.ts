import type { ExpiringTarget } from '../../rules/expiring-targets/expiring-targets.ts'
import { counted, type Subject } from '../../rules/sentences/sentence.ts'
import { type ContextTargets, segmentKeysInClauses } from '../../rules/targeting/clause.ts'
import type { Rule } from '../../rules/targeting/rule.ts'
import { expirySentences, keySentences } from '../../rules/targeting/targeting-sentences.ts'
import { documents, keySets, shownTime, type Versioned } from '../../storage/collection.ts'
import type { Writer } from '../../storage/writer.ts'
import { segmentViews } from '../views/view-link.ts'

/**
 * A segment: a group of contexts of one environment that flags can target, defined by lists or rules
 * (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d24-segments).
 */
export interface Segment extends Versioned {
  /** Id of the segment: 24 hex digits. */
  readonly id: string
  readonly environmentId: string
  readonly key: string
  readonly name: string
  readonly description?: string
  readonly tags: readonly string[]
  /** Keys of users who are always included. In a big segment, this and the next three lists are empty. */
  readonly included: readonly string[]
  /** Keys of users who are excluded from the rules. */
  readonly excluded: readonly string[]
  /** Keys of contexts of other kinds. */
  readonly includedContexts: readonly ContextTargets[]
  readonly excludedContexts: readonly ContextTargets[]
  readonly rules: readonly SegmentRule[]
  /** Expiry dates of targets. */
  readonly expiringTargets?: readonly ExpiringTarget[]
  /** Number of big segments that have been created with this key; 1 for a standard segment. */
  readonly generation: number
  /** True for a big segment, whose keys are rows of two sets instead of lists in this document. */
  readonly unbounded: boolean
  /** Context kind of the keys of a big segment. */
  readonly unboundedContextKind?: string
  /**
   * True for a big segment that was created as a standard one and grew. Evaluation still reads its keys as lists.
   * Documents of earlier versions do not have this property: see `isGrownSegment`.
   */
  readonly grown?: boolean
  readonly bigIncluded?: BigList
  readonly bigExcluded?: BigList
  /**
   * The store that a synced segment comes from, and the URL of the page of the segment in that store. The names are
   * those of responses, so that patches can use them.
   */
  readonly _external?: string
  readonly _externalLink?: string
  /** Increases when a flag or another segment starts to refer to the segment: see `recordSegmentReference`. */
  readonly holds: number
  readonly createdAt: number
  readonly lastModified: number
}

/**
 * Returns true for a big segment that was created as a standard one.
 *
 * A document without the property `grown` is classified by a list that was never changed: the time of such a list is
 * the time at which the segment became big. If it equals the creation time, the segment was created as a big one;
 * otherwise it grew. When both lists were changed, the segment counts as created as a big one, as in earlier versions.
 */
export function isGrownSegment({ unbounded, grown, createdAt, bigIncluded, bigExcluded }: Segment): boolean {
  if (!unbounded) return false
  if (grown !== undefined) return grown
  const unchanged = [bigIncluded, bigExcluded].find((list) => list?.revision === 0)
  return unchanged !== undefined && unchanged.changedAt !== createdAt
}

/** A rule of a segment: conditions, and the share of the matching contexts that it includes. */
export interface SegmentRule extends Rule {
  /** Thousandths of a percent, 0 to 100,000; default: all. */
  readonly weight?: number
  readonly rolloutContextKind?: string
  /** Attribute whose hash decides if a context is included; default: the key. */
  readonly bucketBy?: string
}

/** Count and revision of a set of a big segment. */
export interface BigList {
  readonly count: number
  /** Increases with every change, so that replacing keys without changing the count is also a change. */
  readonly revision: number
  /** Integer ms. */
  readonly changedAt: number
}

const address = 'proj/{projectKey}:env/{environmentKey}:segment/{segmentKey}'

/** Returns the keys in lists of contexts, each with its kind when that is not the default. */
function contextKeysIn(lists: readonly ContextTargets[]): string[] {
  return lists.flatMap(({ contextKind, values }) => values.map((value) => `${contextKind} ${value}`))
}

/** A list of a big segment before and after a change. */
interface BigListChange {
  readonly before: BigList | undefined
  readonly after: BigList | undefined
}

/** Returns a sentence with the number of keys that were added to a list of a big segment, or removed from it. */
function bigListSentence({ before, after }: BigListChange, list: string, { it }: Subject): string {
  const added = (after?.count ?? 0) - (before?.count ?? 0)
  if (added > 0) return `added ${counted(added, `${list} targets`)} to ${it}`
  return added < 0 ? `removed ${counted(-added, `${list} targets`)} from ${it}` : `replaced ${list} targets of ${it}`
}

export const segments = documents<Segment>()({
  name: 'segment',
  address,
  fields: (segment) => ({
    name: segment.name,
    description: segment.description ?? null,
    tags: segment.tags,
    unbounded: segment.unbounded,
    external: segment._external ?? null,
    segments: referencedSegments(segment.rules),
    createdAt: segment.createdAt,
    lastModified: segment.lastModified,
    type: typeOf(segment),
    includedKeys: keysIn(segment.included, segment.includedContexts),
    excludedKeys: keysIn(segment.excluded, segment.excludedContexts),
  }),
  attributes: ({ tags }) => ({ tags }),
  views: segmentViews,
  shown: {
    id: null,
    environmentId: null,
    expiringTargets: null,
    bigIncluded: ({ count }) => ({ _unboundedMetadata: { includedCount: count } }),
    bigExcluded: ({ count }) => ({ _unboundedMetadata: { excludedCount: count } }),
    holds: null,
    createdAt: shownTime('creationDate'),
    lastModified: shownTime('lastModifiedDate'),
  },
  sentences: {
    changed: {
      included: 'included targets',
      excluded: 'excluded targets',
      includedContexts: (before, after, { it }) =>
        keySentences(
          { before: contextKeysIn(before.includedContexts), after: contextKeysIn(after.includedContexts) },
          'included targets',
          it,
        ),
      excludedContexts: (before, after, { it }) =>
        keySentences(
          { before: contextKeysIn(before.excludedContexts), after: contextKeysIn(after.excludedContexts) },
          'excluded targets',
          it,
        ),
      expiringTargets: expirySentences,
      bigIncluded: (before, after, subject) =>
        bigListSentence({ before: before.bigIncluded, after: after.bigIncluded }, 'included', subject),
      bigExcluded: (before, after, subject) =>
        bigListSentence({ before: before.bigExcluded, after: after.bigExcluded }, 'excluded', subject),
      _external: 'external source',
      _externalLink: 'link to the external source',
    },
  },
  changes: {
    id: null,
    environmentId: null,
    key: null,
    name: 'updateName',
    description: 'updateDescription',
    tags: 'updateTags',
    included: 'updateIncluded',
    excluded: 'updateExcluded',
    includedContexts: 'updateIncluded',
    excludedContexts: 'updateExcluded',
    rules: 'updateRules',
    expiringTargets: 'updateExpiringTargets',
    generation: null,
    unbounded: null,
    unboundedContextKind: null,
    grown: null,
    bigIncluded: 'updateIncluded',
    bigExcluded: 'updateExcluded',
    // This property determines the source of the included keys.
    _external: 'updateIncluded',
    _externalLink: 'updateIncluded',
    holds: null,
    createdAt: null,
    lastModified: null,
  },
  computed: ['bigIncluded', 'bigExcluded'],
})

/** Types of segments, as the specification names them. */
export const segmentTypes = ['rule-based', 'list-based', 'synced'] as const

/** Returns the type of a segment. A segment with rules is rule-based, even when its lists are not empty. */
function typeOf({ _external, rules }: Segment): (typeof segmentTypes)[number] {
  if (_external !== undefined) return 'synced'
  return rules.length > 0 ? 'rule-based' : 'list-based'
}

/** Returns all listed keys of one side, of all context kinds. */
function keysIn(users: readonly string[], contexts: readonly ContextTargets[]): string[] {
  return [...new Set([...users, ...contexts.flatMap(({ values }) => values)])]
}

/** Keys of big segments. */
export const bigIncluded = keySets({ name: 'included', address })
export const bigExcluded = keySets({ name: 'excluded', address })

/** Number of big segments that have been created with a key. It remains when a segment is deleted. */
export interface Generation extends Versioned {
  readonly count: number
}

export const generations = documents<Generation>()({
  name: 'segment-generation',
  address: 'proj/{projectKey}:env/{environmentKey}:segment-generation/{segmentKey}',
})

/** The keys in the path of a segment. */
export interface SegmentKeys {
  readonly projectKey: string
  readonly environmentKey: string
  readonly segmentKey: string
}

/**
 * Records a new reference in the document of a segment. Without this write, a concurrent call could delete the segment:
 * the deletion would check for references before the new reference exists, and neither commit would conflict with the
 * other.
 */
export function recordSegmentReference(tx: Writer, keys: SegmentKeys, segment: Segment): void {
  tx.follow(segments, keys, segment, { ...segment, holds: segment.holds + 1 })
}

/** Returns the keys of the segments to which rules refer. */
export function referencedSegments(rules: readonly Rule[]): string[] {
  return [...new Set(rules.flatMap((rule) => segmentKeysInClauses(rule.clauses)))]
}
