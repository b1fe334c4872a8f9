import type { ExpiringTarget } from '../expiring-targets/expiring-targets.ts'
import {
  dateText,
  named,
  type PropertySentence,
  type Sentences,
  type Subject,
  shortName,
} from '../sentences/sentence.ts'
import { userKind } from './clause.ts'
import type { Target, Targeting } from './targeting.ts'

/** The keys of a list before and after a change. */
export interface KeysChange {
  readonly before: readonly string[]
  readonly after: readonly string[]
}

/**
 * Returns sentences about the keys that were added to a list and removed from it.
 *
 * @param plural noun of the keys, e.g. `targets`.
 */
export function keySentences({ before, after }: KeysChange, plural: string, it: string): readonly string[] {
  const [earlier, later] = [new Set(before), new Set(after)]
  const added = [...later].filter((key) => !earlier.has(key))
  const removed = [...earlier].filter((key) => !later.has(key))
  const sentences = [
    ...(added.length > 0 ? [`added ${named(added, plural)} to ${it}`] : []),
    ...(removed.length > 0 ? [`removed ${named(removed, plural)} from ${it}`] : []),
  ]
  return sentences.length > 0 ? sentences : [`reordered the ${plural} of ${it}`]
}

/** Sentences about the properties of a targeting. */
export const targetingSentences = {
  targets: targetSentences('targets', 'targets'),
  contextTargets: targetSentences('contextTargets', 'context targets'),
  fallthrough: (_before, _after, { it }) => `changed what ${it} serves when no rule matches`,
  offVariation: (_before, _after, { it }) => `changed what ${it} serves while it is off`,
  trackEvents: 'event tracking',
  trackEventsFallthrough: 'event tracking of the default rule',
} as const satisfies Sentences<Targeting>['changed']

function targetSentences(list: 'targets' | 'contextTargets', plural: string): PropertySentence<Targeting> {
  return (before, after, { it }) => {
    const [earlier, later] = [keysIn(before[list]), keysIn(after[list])]
    const isSame = earlier.length === later.length && earlier.every((key) => later.includes(key))
    return isSame
      ? `moved ${plural} of ${it} to another variation`
      : keySentences({ before: earlier, after: later }, plural, it)
  }
}

function keysIn(targets: readonly Target[]): string[] {
  return targets.flatMap(({ values, contextKind }) =>
    contextKind === userKind ? values : values.map((value) => `${contextKind} ${value}`),
  )
}

interface WithExpiringTargets {
  readonly expiringTargets?: readonly ExpiringTarget[]
}

/** Describes which targets got an expiry date, got another date, or lost their date. */
export function expirySentences(before: WithExpiringTargets, after: WithExpiringTargets, { it }: Subject): string[] {
  const byId = ({ expiringTargets = [] }: WithExpiringTargets) =>
    new Map(expiringTargets.map((each) => [each.id, each]))
  const [earlier, later] = [byId(before), byId(after)]
  const removed = [...earlier.values()].filter(({ id }) => !later.has(id))
  return [
    ...[...later.values()]
      .filter(({ id, expiresAt }) => earlier.get(id)?.expiresAt !== expiresAt)
      .map(
        ({ id, contextKey, expiresAt }) =>
          `${earlier.has(id) ? 'changed' : 'set'} the expiry date of ${shortName(contextKey)} in ${it} to ${dateText(expiresAt)}`,
      ),
    ...removed.map(({ contextKey }) => `removed the expiry date of ${shortName(contextKey)} in ${it}`),
  ]
}
