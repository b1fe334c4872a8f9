import { environments } from '../../models/environments/environment.ts'
import { flags } from '../../models/flags/flag.ts'
import { flagConfigs } from '../../models/flags/flag-config.ts'
import { bigExcluded, bigIncluded, segments } from '../../models/segments/segment.ts'
import { isUnder, type Touched } from '../../storage/port.ts'
import type { EnvironmentKeys } from './environment-content.ts'

/** A part of an environment's content that a change made stale. */
export type Outdated =
  | { readonly what: 'all' | 'memberships' }
  | { readonly what: 'flag' | 'segment'; readonly key: string }

const contents: ReadonlySet<string> = new Set([environments, flags, flagConfigs, segments].map(({ name }) => name))

/**
 * Makes a function that returns the part of an environment's content that a change affects, or undefined when it
 * affects none.
 */
export function contentWatch(keys: EnvironmentKeys): (touched: Touched) => Outdated | undefined {
  const environment = environments.id(keys)
  const flagScope = flags.address.scope({ ...keys, flagKey: '' })
  const scope = flagConfigs.address.scope({ ...keys, flagKey: '' })
  const sets = [bigIncluded, bigExcluded].map((set) => set.id({ ...keys, segmentKey: '' }).name)

  function ofDocument({ id }: Extract<Touched, { what: 'document' }>): Outdated | undefined {
    if (id.collection === flags.name && id.scope === flagScope) return { what: 'flag', key: id.key }
    if (id.collection === flagConfigs.name && id.scope === scope) return { what: 'flag', key: id.key }
    if (id.collection === segments.name && id.scope === scope) return { what: 'segment', key: id.key }
    const same =
      id.collection === environment.collection && id.scope === environment.scope && id.key === environment.key
    return same ? { what: 'all' } : undefined
  }

  // The scope below a flag is removed together with its document, so documents below flags and segments are not
  // relevant.
  const holdsContent = (wide: string) => [flagScope, scope, environment.scope].some((one) => isUnder(one, wide))

  return (touched) => {
    switch (touched.what) {
      case 'document':
        return ofDocument(touched)
      case 'collection':
        return contents.has(touched.collection) && holdsContent(touched.scope) ? { what: 'all' } : undefined
      case 'scope':
        if (holdsContent(touched.scope)) return { what: 'all' }
        return isUnder(touched.scope, scope) ? { what: 'memberships' } : undefined
      case 'members':
        return sets.includes(touched.set.name) && isUnder(touched.set.scope, scope)
          ? { what: 'memberships' }
          : undefined
      default:
        return undefined
    }
  }
}
