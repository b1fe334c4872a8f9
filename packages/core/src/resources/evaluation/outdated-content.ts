import { environments } from '../../models/environments/environment.ts'
import type { EnvironmentKeys } from '../../models/environments/environment-keys.ts'
import { flags } from '../../models/flags/flag.ts'
import { flagConfigs } from '../../models/flags/flag-config.ts'
import { bigExcluded, bigIncluded, segments } from '../../models/segments/segment.ts'
import { isUnder, type TouchedRecords } from '../../storage/port.ts'

/** A part of an environment's content that a change made stale. */
export type OutdatedPart =
  | { readonly part: 'all' | 'memberships' }
  | { readonly part: 'flag' | 'segment'; readonly key: string }

const contentCollections: ReadonlySet<string> = new Set(
  [environments, flags, flagConfigs, segments].map(({ name }) => name),
)

/**
 * Makes a function that returns the part of an environment's content that a change affects, or undefined when it
 * affects no part.
 */
export function outdatedPartFinder(keys: EnvironmentKeys): (touched: TouchedRecords) => OutdatedPart | undefined {
  const environment = environments.id(keys)
  const flagScope = flags.address.scope({ ...keys, flagKey: '' })
  const scope = flagConfigs.address.scope({ ...keys, flagKey: '' })
  const sets = [bigIncluded, bigExcluded].map((set) => set.id({ ...keys, segmentKey: '' }).name)

  function partOfDocument({ id }: Extract<TouchedRecords, { kind: 'document' }>): OutdatedPart | undefined {
    if (id.collection === flags.name && id.scope === flagScope) return { part: 'flag', key: id.key }
    if (id.collection === flagConfigs.name && id.scope === scope) return { part: 'flag', key: id.key }
    if (id.collection === segments.name && id.scope === scope) return { part: 'segment', key: id.key }
    const isEnvironment =
      id.collection === environment.collection && id.scope === environment.scope && id.key === environment.key
    return isEnvironment ? { part: 'all' } : undefined
  }

  // The scope below a flag is removed together with its document, so documents below flags and segments are not
  // relevant.
  const coversContent = (outerScope: string) =>
    [flagScope, scope, environment.scope].some((scopeOfContent) => isUnder(scopeOfContent, outerScope))

  return (touched) => {
    switch (touched.kind) {
      case 'document':
        return partOfDocument(touched)
      case 'collection':
        return contentCollections.has(touched.collection) && coversContent(touched.scope) ? { part: 'all' } : undefined
      case 'scope':
        if (coversContent(touched.scope)) return { part: 'all' }
        return isUnder(touched.scope, scope) ? { part: 'memberships' } : undefined
      case 'keys':
        return sets.includes(touched.set.name) && isUnder(touched.set.scope, scope)
          ? { part: 'memberships' }
          : undefined
      default:
        return undefined
    }
  }
}
