import type { Dependency, WideTouch } from '../dependency-index.ts'
import { isUnder } from '../port.ts'

/** Whether a change of a whole scope, or of one collection in it, affects a dependency: a plain model, one by one. */
export function affects(touched: WideTouch, dependency: Dependency): boolean {
  const [kind, name, scope] = dependency.split('\n', 3) as [string, string, string]
  if (touched.what === 'collection' && (touched.collection !== name || kind === 'keys' || kind === 'samples')) {
    return false
  }
  return isUnder(scope, touched.scope) || (kind === 'deep' && isUnder(touched.scope, scope))
}
