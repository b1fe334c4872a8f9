import { contextInstances } from '../../models/contexts/seen-context.ts'
import type { EnvironmentKeys } from '../../models/environments/environment-keys.ts'
import type { Context } from '../../operation/context.ts'
import { canonicalJson } from '../../rules/canonical-json.ts'
import { contextOf } from '../../rules/contexts/sighting.ts'
import type { EvaluationContext } from '../../rules/evaluation/subject.ts'
import { keysOfContext } from '../../rules/sdk-protocol/sdk-events.ts'
import type { Reader } from '../../storage/reader.ts'

/** Maximum number of contexts for which an environment is simulated, unless the caller names others. */
const maxKnown = 1_000

/**
 * Returns the contexts of an environment that were used last: first those that this process knows, then those that SDKs
 * reported to any process.
 */
export async function knownContexts(
  context: Pick<Context<Reader, never>, 'tx' | 'recentContexts'>,
  environment: EnvironmentKeys,
): Promise<readonly EvaluationContext[]> {
  const recent = context.recentContexts(environment)
  const missing = maxKnown - recent.length
  if (missing <= 0) return recent
  const order = [{ field: 'lastSeen', type: 'number', descending: true }] as const
  const { items } = await context.tx.list(contextInstances, environment, { order, limit: maxKnown })
  const names = new Set(recent.map(nameOf))
  const stored = items.map(({ contexts }) => contextOf(contexts)).filter((each) => !names.has(nameOf(each)))
  return [...recent, ...stored.slice(0, missing)]
}

function nameOf(context: EvaluationContext): string {
  return canonicalJson(keysOfContext(context))
}
