import type { Context } from '../../operation/context.ts'
import type { TermFields } from '../../operation/filters/term-conditions.ts'
import type { Condition } from '../../storage/port.ts'
import type { Reader } from '../../storage/reader.ts'
import { flagsInViews } from '../view-filters/in-views.ts'
import { contextKindFields, flagsWithContextKinds } from './context-kind-filters.ts'
import { environmentFields, filterEnvironments } from './filter-environments.ts'
import { flagsWithFollowers, followerFields } from './follower-filters.ts'
import { flagsWithPending, pendingFields } from './pending-filters.ts'
import { flagsWithStatus, statusFields } from './statuses/status-filters.ts'
import { flagsWithTargeting, targetingFields } from './targeting-filters.ts'
import { flagsWithUsage, usageFields } from './usage-filters.ts'

/** Filters of flags by what other collections contain. `lookUpConditions` handles them. */
export const lookedUpFields: TermFields = {
  ...pendingFields,
  ...followerFields,
  ...usageFields,
  ...statusFields,
  ...targetingFields,
  ...contextKindFields,
  ...environmentFields,
}

/**
 * Replaces the conditions on flags that other collections answer by conditions that the storage supports. Fails with
 * `invalid_request` when a term requires `filterEnv` and it is missing, and when it limits no other term.
 */
export async function lookUpConditions(
  context: Context<Reader, 'invalid_request'>,
  projectKey: string,
  conditions: readonly Condition[],
): Promise<readonly Condition[]> {
  const { tx } = context
  const { environmentKeys, conditions: others } = filterEnvironments(context, conditions)
  const visible = await flagsInViews(context, projectKey, others)
  const used = await flagsWithUsage(context, projectKey, environmentKeys, visible)
  const followed = await flagsWithFollowers(tx, projectKey, environmentKeys, used)
  const targeted = await flagsWithTargeting(tx, projectKey, environmentKeys, followed)
  const withStatus = await flagsWithStatus(context, projectKey, environmentKeys, targeted)
  const evaluated = await flagsWithContextKinds(context, projectKey, environmentKeys, withStatus)
  return flagsWithPending(tx, projectKey, evaluated)
}
