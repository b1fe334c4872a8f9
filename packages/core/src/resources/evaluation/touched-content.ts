import { environments } from '../../models/environments/environment.ts'
import { flags } from '../../models/flags/flag.ts'
import { flagConfigs } from '../../models/flags/flag-config.ts'
import { bigExcluded, bigIncluded, segments } from '../../models/segments/segment.ts'
import { isUnder, type Touched } from '../../storage/port.ts'
import type { EnvironmentKeys } from './environment-content.ts'

/** What of an environment's content is no longer known. */
export type Outdated =
  | { readonly what: 'all' | 'memberships' }
  | { readonly what: 'flag' | 'segment'; readonly key: string }

const contents: ReadonlySet<string> = new Set([environments, flags, flagConfigs, segments].map(({ name }) => name))

/** Makes what tells which part of an environment's content a change concerns; undefined where it concerns none. */
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

  // A flag's own scope goes together with its document, so what lies below flags and segments is of no interest.
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
