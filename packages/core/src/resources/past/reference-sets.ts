import { type FlagConfig, flagConfigs } from '../../models/flags/flag-config.ts'
import { referencedSegments } from '../../models/segments/segment.ts'
import { parseAddress } from '../../rules/address.ts'
import { allKeys } from '../../storage/all-keys.ts'
import { compareCodePoints } from '../../storage/code-point-order.ts'
import type { SetId } from '../../storage/port.ts'
import type { PastDocuments, PastParts } from './past-documents.ts'

/**
 * Sets that contain, for a segment or a flag, the keys of the flags in the same environment that refer to it. Each set
 * has a function that returns the references of a configuration. The change log lists changes of configurations, but no
 * changes of these sets.
 */
const referencesOf: Readonly<Record<string, (config: FlagConfig) => readonly string[]>> = {
  'targeting-flags': ({ rules }) => referencedSegments(rules),
  'dependent-flags': ({ prerequisites }) => prerequisites.map(({ key }) => key),
}

/**
 * Returns the keys of a set of references as they were, in code-point order; undefined for a set whose past is not
 * known.
 */
export async function referenceKeys(
  { stored, history, moment, name }: PastParts,
  documents: PastDocuments,
  set: SetId,
): Promise<readonly string[] | undefined> {
  const references = referencesOf[set.name]
  if (!references) return undefined
  const key = parseAddress(set.scope)?.at(-1)?.key ?? ''
  const scope = set.scope.slice(0, set.scope.lastIndexOf(':'))
  const current = await allKeys((page) => stored.pageKeys(set, page))
  await history.reach(moment, name)
  const changed = history.changedIn({ collection: flagConfigs.name, scope }, moment).map((id) => id.key)
  const candidates = [...new Set([...current, ...changed])].sort(compareCodePoints)
  const configs = await documents.getMany(
    candidates.map((flagKey) => ({ collection: flagConfigs.name, scope, key: flagKey })),
  )
  // Cast: the documents are those of the collection.
  return candidates.filter((_, i) => configs[i] && references(configs[i].body as FlagConfig).includes(key))
}
