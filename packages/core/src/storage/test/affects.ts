import type { Dependency, TouchedScope } from '../dependency-index.ts'
import { isUnder } from '../port.ts'

/**
 * Returns true when a change of a whole scope, or of one collection in it, affects a dependency: a reference model that
 * checks one dependency at a time.
 */
export function affects(touched: TouchedScope, dependency: Dependency): boolean {
  const [kind, name, scope] = dependency.split('\n', 3) as [string, string, string]
  if (touched.kind === 'collection' && (touched.collection !== name || kind === 'keys' || kind === 'samples')) {
    return false
  }
  return isUnder(scope, touched.scope) || (kind === 'deep' && isUnder(touched.scope, scope))
}
