import type { EnvironmentKeys } from '../../../models/environments/environment-keys.ts'
import { flags } from '../../../models/flags/flag.ts'
import { flagConfigs } from '../../../models/flags/flag-config.ts'
import type { ReadContext } from '../../../operation/context.ts'
import { filteredValues, replaceFieldConditions } from '../../../operation/filters/filtered-values.ts'
import { anyWord, type TermFields } from '../../../operation/filters/term-conditions.ts'
import { inTurns } from '../../../operation/in-turns.ts'
import {
  type FlagActivity,
  type FlagStatus,
  flagStatus,
  flagStatuses,
  statusPeriod,
} from '../../../rules/flag-status/flag-status.ts'
import type { Condition } from '../../../storage/port.ts'
import type { Row } from '../../../storage/reader.ts'
import type { FilteredEnvironments } from '../filtered-environments.ts'
import { loadEnvironments } from '../flag-state.ts'
import { stateOf, statesAfterExpiry } from './expired-states.ts'
import { lastRequestedIn } from './last-requested.ts'
import { viewsAllStatuses, withVisibleStatus } from './visible-statuses.ts'

const limit = Number.MAX_SAFE_INTEGER

/** Filter of flags by their status in an environment. `flagsWithStatus` handles it. */
export const statusFields: TermFields = { status: anyWord('status', flagStatuses) }

type StatusContext = Pick<ReadContext, 'tx' | 'allowed' | 'readClock' | 'useHost'>

/**
 * Replaces `status` in conditions on flags by the keys of the flags that have one of the statuses in one of the
 * environments. Environments that do not exist match no flag, and neither do flags whose status the caller may not
 * view.
 */
export async function flagsWithStatus(
  context: StatusContext,
  { projectKey, environmentKeys }: FilteredEnvironments,
  conditions: readonly Condition[],
): Promise<readonly Condition[]> {
  if (filteredValues(conditions, 'status').length === 0) return conditions
  const environments = (await loadEnvironments(context.tx, projectKey)).filter(({ key }) =>
    environmentKeys.includes(key),
  )
  const statuses = await Promise.all(
    environments.map(async (environment) => ({
      keys: { projectKey, environmentKey: environment.key },
      statusByFlag: await statusesIn(context, { projectKey, environmentKey: environment.key }),
    })),
  )
  return Promise.all(
    conditions.map(async (condition) => {
      const words = filteredValues([condition], 'status')
      const any = await Promise.all(statuses.map((each) => flagsWith(context, each, words)))
      return replaceFieldConditions(condition, 'status', () => ({ op: 'or', any }))
    }),
  )
}

interface EnvironmentStatuses {
  readonly keys: EnvironmentKeys
  /**
   * Statuses by flag key. A flag that is missing is `inactive`: it is not new, and was neither changed nor evaluated.
   */
  readonly statusByFlag: ReadonlyMap<string, FlagStatus>
}

/** Returns the condition that a flag has one of the statuses, and that the caller may view its status. */
async function flagsWith(
  context: StatusContext,
  { keys, statusByFlag }: EnvironmentStatuses,
  words: readonly unknown[],
): Promise<Condition> {
  /** Returns the keys of the flags that have one of the statuses, or none of them. */
  const flagKeysThat = async (flagKeys: Iterable<string>, haveStatus: boolean) => {
    const selected: string[] = []
    const select = (flagKey: string) => {
      if (words.includes(statusByFlag.get(flagKey) ?? 'inactive') === haveStatus) selected.push(flagKey)
    }
    await inTurns(flagKeys, context.useHost(), select, rowsOfTurn)
    return selected
  }
  const known = statusByFlag.keys()
  if (!words.includes('inactive'))
    return hasKey(await withVisibleStatus(context, keys, await flagKeysThat(known, true)))
  if (await viewsAllStatuses(context, keys)) return { op: 'not', condition: hasKey(await flagKeysThat(known, false)) }
  const { items } = await context.tx.listRows(flags, keys, { limit })
  const flagKeys = items.map(({ key }) => key)
  return hasKey(await withVisibleStatus(context, keys, await flagKeysThat(flagKeys, true)))
}

const hasKey = (values: readonly string[]): Condition => ({ op: 'anyOf', field: 'key', values })

/**
 * Returns the statuses of the flags in an environment that are new, were changed, or were evaluated. All other flags
 * are inactive. Reads the narrow rows of these flags.
 */
async function statusesIn(context: StatusContext, keys: EnvironmentKeys): Promise<Map<string, FlagStatus>> {
  const { tx } = context
  const { projectKey } = keys
  const now = context.readClock()
  const isRecent = [{ op: 'range', field: 'createdAt', from: now - statusPeriod + 1 }] as const
  const [recent, configs, requested] = await Promise.all([
    tx.listRows(flags, { projectKey }, { where: isRecent, limit }),
    tx.listRows(flagConfigs, keys, { limit }),
    lastRequestedIn(tx, keys, undefined, now),
  ])
  const host = context.useHost()
  const activities = new Map<string, Activity>()
  const expired = await statesAfterExpiry(tx, keys, configs.items, now)
  const addActivity = (row: Row) => {
    activities.set(row.key, { ...(expired.get(row.key) ?? stateOf(row)), createdAt: 0, lastRequested: undefined })
  }
  await inTurns(configs.items, host, addActivity, rowsOfTurn)
  // The age of other flags does not matter: they are not new.
  const setAge = ({ key, fields }: Row) => {
    const createdAt = fields.createdAt as number
    const activity = activities.get(key)
    if (activity) activity.createdAt = createdAt
    else activities.set(key, unchangedSince(createdAt))
  }
  await inTurns(recent.items, host, setAge, rowsOfTurn)
  for (const flagKey of requested.flagKeys) if (!activities.has(flagKey)) activities.set(flagKey, unchangedSince(0))
  const statuses = new Map<string, FlagStatus>()
  const setStatus = ([flagKey, activity]: readonly [string, Activity]) => {
    activity.lastRequested = requested.timeOf(flagKey)
    statuses.set(flagKey, flagStatus(activity, now))
  }
  await inTurns(activities, host, setStatus, rowsOfTurn)
  return statuses
}

/** Number of flags of one turn of the event loop: about three milliseconds of work. */
const rowsOfTurn = 5_000

/** The activity of a flag in the environment, which several collections contain. */
type Activity = { -readonly [Property in keyof FlagActivity]: FlagActivity[Property] }

/** Returns the activity of a flag whose configuration in the environment was never changed. */
function unchangedSince(createdAt: number): Activity {
  return { createdAt, changedAt: createdAt, on: false, servesOne: true, lastRequested: undefined }
}
