import type { Context } from '../../operation/context.ts'
import type { TermFields } from '../../operation/filters/term-conditions.ts'
import type { Condition } from '../../storage/port.ts'
import type { Reader } from '../../storage/reader.ts'
import { flagsInViews } from '../view-filters/in-views.ts'
import { contextKindFields, flagsWithContextKinds } from './context-kind-filters.ts'
import { environmentFields, filterEnvironments } from './filter-environments.ts'
import type { FilteredEnvironments } from './filtered-environments.ts'
import { flagFilter } from './flag-conditions.ts'
import { flagsWithFollowers, followerFields } from './follower-filters.ts'
import { flagsWithPending, pendingFields } from './pending-filters.ts'
import { evaluatedFields } from './statuses/evaluated-filter.ts'
import { flagsWithActivity } from './statuses/flags-by-activity.ts'
import { statusFields } from './statuses/status-filters.ts'
import { flagsWithTargeting, targetingFields } from './targeting-filters.ts'
import { flagsWithUsage, usageFields } from './usage-filters.ts'

/** Filters of flags by what other collections contain. */
const lookedUpFields: TermFields = {
  ...pendingFields,
  ...followerFields,
  ...usageFields,
  ...statusFields,
  ...evaluatedFields,
  ...targetingFields,
  ...contextKindFields,
  ...environmentFields,
}

/**
 * Reads a filter of flags as `flagFilter` does, also with the terms `releasingIn:a+b` and `scheduledIn:a+b`: flags
 * with an automated release that has not ended, or with a scheduled change, in any of these environments; and with the
 * filters that other files of this folder declare. `lookUpConditions` handles them; for `listFlags`,
 * `lookUpAllButActivity` and `flagsByActivity` do.
 */
export const readFlagFilter = flagFilter(lookedUpFields)

/**
 * Replaces the conditions on flags that depend on other collections by conditions that the storage supports. Fails with
 * `invalid_request` when a term requires `filterEnv` and it is missing, and when it limits no other term.
 */
export async function lookUpConditions(
  context: Context<Reader, 'invalid_request'>,
  projectKey: string,
  conditions: readonly Condition[],
): Promise<readonly Condition[]> {
  const lookedUp = await lookUpAllButActivity(context, projectKey, conditions)
  return flagsWithActivity(context, lookedUp.environments, lookedUp.conditions)
}

/** Conditions on flags, and the environments in which they must hold. */
export interface ConditionsInEnvironments {
  readonly environments: FilteredEnvironments
  readonly conditions: readonly Condition[]
}

/** Replaces conditions as `lookUpConditions` does, except those that `flagsWithActivity` replaces. */
export async function lookUpAllButActivity(
  context: Context<Reader, 'invalid_request'>,
  projectKey: string,
  conditions: readonly Condition[],
): Promise<ConditionsInEnvironments> {
  const { tx } = context
  const { environmentKeys, conditions: others } = filterEnvironments(context, conditions)
  const visible = await flagsInViews(context, projectKey, others)
  const environments = { projectKey, environmentKeys }
  const used = await flagsWithUsage(context, projectKey, visible)
  const followed = await flagsWithFollowers(tx, environments, used)
  const targeted = await flagsWithTargeting(tx, environments, followed)
  const evaluated = await flagsWithContextKinds(context, environments, targeted)
  return { environments, conditions: await flagsWithPending(tx, projectKey, evaluated) }
}
