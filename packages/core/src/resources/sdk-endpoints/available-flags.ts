import { isServed } from '../evaluation/evaluated-content.ts'
import type { EvaluatorHandle } from '../evaluation/evaluator.ts'
import type { KeyKind } from './sdk-keys.ts'

/** Returns true if an SDK with this kind of key can evaluate a flag that is not an AI config. */
export function isAvailableTo(kind: KeyKind, { cached }: EvaluatorHandle, flagKey: string): boolean {
  const content = cached.content()
  const data = content?.ruleset.flags.get(flagKey)?.data
  if (!content || !data || isServed(content, flagKey)) return false
  if (kind === 'server') return true
  const { usingMobileKey, usingEnvironmentId } = data.clientSideAvailability ?? {}
  return (kind === 'mobile' ? usingMobileKey : usingEnvironmentId) === true
}
