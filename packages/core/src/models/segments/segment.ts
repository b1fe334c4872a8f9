import type { ExpiringTarget } from '../../rules/expiring-targets/expiring-targets.ts'
import { type ContextTargets, segmentsNamed } from '../../rules/targeting/clause.ts'
import type { Rule } from '../../rules/targeting/rule.ts'
import { documents, keySets, type Versioned } from '../../storage/collection.ts'
import type { Writer } from '../../storage/writer.ts'
import { segmentViews } from '../views/view-link.ts'

/** A segment: contexts of one environment that flags can target together, by list or by rule (D24). */
export interface Segment extends Versioned {
  /** 24 hex digits. */
  readonly id: string
  readonly environmentId: string
  readonly key: string
  readonly name: string
  readonly description?: string
  readonly tags: readonly string[]
  /** Keys of users who are always in; in a big segment this and the next three are empty. */
  readonly included: readonly string[]
  /** Keys of users whom rules never match. */
  readonly excluded: readonly string[]
  /** The same for contexts of other kinds. */
  readonly includedContexts: readonly ContextTargets[]
  readonly excludedContexts: readonly ContextTargets[]
  readonly rules: readonly SegmentRule[]
  /** When targets stop being some. */
  readonly expiringTargets?: readonly ExpiringTarget[]
  /** How many times a big segment was made under this key; 1 for a standard one. */
  readonly generation: number
  /** True for a big segment, whose keys are rows of two sets instead of lists in this document. */
  readonly unbounded: boolean
  /** The one kind of context that a big segment holds. */
  readonly unboundedContextKind?: string
  readonly bigIncluded?: BigList
  readonly bigExcluded?: BigList
  /** The store that a synced segment comes from, and where it is to be seen there. Named as in answers, for patches. */
  readonly _external?: string
  readonly _externalLink?: string
  /** Grows when a flag or another segment begins to refer to it: see `holdSegment`. */
  readonly holds: number
  readonly createdAt: number
  readonly lastModified: number
}

/** A rule of a segment: which part of the contexts that its clauses match is in. */
export interface SegmentRule extends Rule {
  /** Thousandths of a percent, 0 to 100,000; all of them where it is left out. */
  readonly weight?: number
  readonly rolloutContextKind?: string
  /** The attribute that decides which part a context falls in; its key where left out. */
  readonly bucketBy?: string
}

/** What a big segment's document tells of one of its sets. */
export interface BigList {
  readonly count: number
  /** Grows with every change, so that one which swaps keys and leaves the count is a change as well. */
  readonly revision: number
  /** Integer ms. */
  readonly changedAt: number
}

const address = 'proj/{projectKey}:env/{environmentKey}:segment/{segmentKey}'

export const segments = documents<Segment>()({
  name: 'segment',
  address,
  fields: (segment) => ({
    name: segment.name,
    description: segment.description ?? null,
    tags: segment.tags,
    unbounded: segment.unbounded,
    external: segment._external ?? null,
    segments: namedBy(segment.rules),
    createdAt: segment.createdAt,
    lastModified: segment.lastModified,
    type: typeOf(segment),
    includedKeys: keysIn(segment.included, segment.includedContexts),
    excludedKeys: keysIn(segment.excluded, segment.excludedContexts),
  }),
  attributes: ({ tags }) => ({ tags }),
  views: segmentViews,
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
    bigIncluded: 'updateIncluded',
    bigExcluded: 'updateExcluded',
    // It says where the keys come from.
    _external: 'updateIncluded',
    _externalLink: 'updateIncluded',
    holds: null,
    createdAt: null,
    lastModified: null,
  },
})

/** Kinds of segment, as spec.md calls them. */
export const segmentTypes = ['rule-based', 'list-based', 'synced'] as const

/** A segment with rules is a rule-based one, whatever its lists hold besides. */
function typeOf({ _external, rules }: Segment): (typeof segmentTypes)[number] {
  if (_external !== undefined) return 'synced'
  return rules.length > 0 ? 'rule-based' : 'list-based'
}

/** All listed keys of one side, of whatever kind their contexts are. */
function keysIn(users: readonly string[], contexts: readonly ContextTargets[]): string[] {
  return [...new Set([...users, ...contexts.flatMap(({ values }) => values)])]
}

/** The keys of big segments. */
export const bigIncluded = keySets({ name: 'included', address })
export const bigExcluded = keySets({ name: 'excluded', address })

/** Remembers how many big segments there have been under a key; it outlives each of them. */
export interface Generation extends Versioned {
  readonly count: number
}

export const generations = documents<Generation>()({
  name: 'segment-generation',
  address: 'proj/{projectKey}:env/{environmentKey}:segment-generation/{segmentKey}',
})

/** The keys that lead to a segment: those of its path. */
export interface SegmentKeys {
  readonly projectKey: string
  readonly environmentKey: string
  readonly segmentKey: string
}

/**
 * Notes in a segment's document that something begins to refer to it. Without that, a segment could be deleted while it
 * gets its first reference: the deletion looks for references before they are there, and neither write sees the other.
 */
export function holdSegment(tx: Writer, keys: SegmentKeys, segment: Segment): void {
  tx.follow(segments, keys, segment, { ...segment, holds: segment.holds + 1 })
}

/** The segments that rules refer to, each once. */
export function namedBy(rules: readonly Rule[]): string[] {
  return [...new Set(rules.flatMap((rule) => segmentsNamed(rule.clauses)))]
}
