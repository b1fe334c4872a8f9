import { type DisplacingChange, endDisplacedIterations } from '../../models/experiments/displaced-iterations.ts'
import { fail } from '../../operation/errors.ts'
import { experimentSeeds } from '../../rules/experiments/iteration-targeting.ts'
import type { Targeting } from '../../rules/targeting/targeting.ts'
import type { Writer } from '../../storage/writer.ts'

/**
 * Ends the iterations that a change of a targeting affects.
 *
 * @param now integer ms.
 * @returns the targeting to store.
 * @throws ApiError `invalid_request` when the change adds an experiment, which only the start of an iteration may do.
 */
export async function settleExperiments<T extends Targeting>(
  tx: Writer,
  change: DisplacingChange<T>,
  now: number,
): Promise<T> {
  const known = experimentSeeds(change.before)
  for (const [ruleId, seed] of experimentSeeds(change.after)) {
    if (known.get(ruleId) === seed) continue
    const reason = `must not add an experiment to the rule ${ruleId}: only the start of an iteration may do that`
    fail('invalid_request', { errors: [{ attribute: `environments.${change.environmentKey}.rules`, reason }] })
  }
  return endDisplacedIterations(tx, change, now)
}
