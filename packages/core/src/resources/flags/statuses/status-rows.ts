import type { EnvironmentKeys } from '../../../models/environments/environment-keys.ts'
import {
  evaluationCountingStarts,
  evaluationsKeys,
  flagUses,
} from '../../../models/flag-evaluations/flag-evaluation.ts'
import { flags } from '../../../models/flags/flag.ts'
import { flagConfigs } from '../../../models/flags/flag-config.ts'
import { type FlagActivity, flagStatus, nextStatusChange } from '../../../rules/flag-status/flag-status.ts'
import { documentDependency, listDependency } from '../../../storage/dependency-index.ts'
import type { JoinedList } from '../../../storage/lists/joined-lists.ts'
import { forever, type RowSource, validUntil } from '../../../storage/lists/row-source.ts'
import type { Condition } from '../../../storage/port.ts'
import type { Reader, Row } from '../../../storage/reader.ts'
import { type ConfigState, stateOf, statesAfterExpiry } from './expired-states.ts'
import { lastRequestedIn } from './last-requested.ts'

/**
 * The rows of the flags of a project, with two more fields for one environment: `status`, and `lastRequested`, the time
 * of the last evaluation in integer ms, UTC.
 */
export const statusRows: JoinedList<EnvironmentKeys> = { name: 'flag-status', source }

function source(tx: Reader, { projectKey, environmentKey }: EnvironmentKeys): RowSource {
  const keys = { projectKey, environmentKey }
  const ids = [flags, flagConfigs, flagUses].map((collection) => collection.id({ ...keys, flagKey: '' }))
  return {
    scope: flags.id({ projectKey, flagKey: '' }).scope,
    lists: ids.map(listDependency),
    shared: {
      dependency: documentDependency(evaluationCountingStarts.id({ ...keys, ...evaluationsKeys })),
      read: async () => (await tx.get(evaluationCountingStarts, { ...keys, ...evaluationsKeys }))?.since,
    },
    expires: true,
    async readPart(part, now) {
      const { items } = await tx.listRows(flags, { projectKey }, { ...part, count: false })
      return withStatus(tx, keys, items, now)
    },
    async readKeys(flagKeys, now) {
      const { items } = await tx.listRows(flags, { projectKey }, withKeys(flagKeys))
      return withStatus(tx, keys, items, now)
    },
  }
}

const withKeys = (flagKeys: readonly string[]) => {
  const where: Condition[] = [{ op: 'anyOf', field: 'key', values: flagKeys }]
  return { where, limit: flagKeys.length, count: false }
}

/** Adds the status to the rows of flags. */
async function withStatus(tx: Reader, keys: EnvironmentKeys, rows: readonly Row[], now: number) {
  const flagKeys = rows.map(({ key }) => key)
  const [configs, requested] = await Promise.all([
    tx.listRows(flagConfigs, keys, withKeys(flagKeys)),
    lastRequestedIn(tx, keys, flagKeys, now),
  ])
  const configRows = new Map(configs.items.map((row) => [row.key, row]))
  const expired = await statesAfterExpiry(tx, keys, configs.items, now)
  return rows.map(({ key, scope, version, fields }) => {
    const row = configRows.get(key)
    const createdAt = fields.createdAt as number
    const state = expired.get(key) ?? (row ? stateOf(row) : neverChanged(createdAt))
    const activity: FlagActivity = { ...state, createdAt, lastRequested: requested.timeOf(key) }
    // Without a report of the flag, its activity changes when the environment has counted evaluations for long enough.
    const knownFrom = activity.lastRequested === undefined ? requested.knownFrom : undefined
    const changes = [nextStatusChange(activity, now), state.nextExpiry, knownFrom]
    return {
      document: { key, scope, version, body: undefined },
      fields: {
        ...fields,
        status: flagStatus(activity, now),
        lastRequested: activity.lastRequested ?? null,
        [validUntil]: Math.min(...changes.map((time) => time ?? forever)),
      },
    }
  })
}

/** Returns the state of a flag without a stored configuration. */
function neverChanged(createdAt: number): ConfigState {
  return { on: false, servesOne: true, changedAt: createdAt, nextExpiry: undefined }
}
