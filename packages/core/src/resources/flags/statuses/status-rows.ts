import type { EnvironmentKeys } from '../../../models/environments/environment-keys.ts'
import {
  evaluationCountingStarts,
  evaluationsKeys,
  flagUses,
} from '../../../models/flag-evaluations/flag-evaluation.ts'
import { flags } from '../../../models/flags/flag.ts'
import { flagConfigs } from '../../../models/flags/flag-config.ts'
import { servesOneVariation } from '../../../models/flags/served-variations.ts'
import { type FlagActivity, flagStatus, nextStatusChange } from '../../../rules/flag-status/flag-status.ts'
import { documentDependency, listDependency } from '../../../storage/dependency-index.ts'
import type { JoinedList } from '../../../storage/lists/joined-lists.ts'
import { forever, type RowSource, validUntil } from '../../../storage/lists/row-source.ts'
import type { Condition } from '../../../storage/port.ts'
import type { Reader, Row } from '../../../storage/reader.ts'
import { configAt } from '../config-at.ts'
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
  const expired = await withoutExpired(tx, keys, configs.items, now)
  return rows.map(({ key, scope, version, fields }) => {
    const { servesOne, nextExpiry } = expired.get(key) ?? stateOf(configRows.get(key))
    const createdAt = fields.createdAt as number
    const { on = false, lastModified = createdAt } = configRows.get(key)?.fields ?? {}
    const activity: FlagActivity = {
      createdAt,
      changedAt: lastModified as number,
      on: on === true,
      servesOne,
      lastRequested: requested.timeOf(key),
    }
    // Without a report of the flag, its activity changes when the environment has counted evaluations for long enough.
    const knownFrom = activity.lastRequested === undefined ? requested.knownFrom : undefined
    const changes = [nextStatusChange(activity, now), nextExpiry, knownFrom]
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

/** State of a flag in the environment until a time. */
interface ServedState {
  /** True when every context gets the same variation while the flag is on. */
  readonly servesOne: boolean
  /** Time at which the next target expires: integer ms, UTC. */
  readonly nextExpiry: number | undefined
}

/** Returns the state in the row of a configuration. A flag without a stored configuration serves one variation. */
function stateOf(row: Row | undefined): ServedState {
  if (!row) return { servesOne: true, nextExpiry: undefined }
  const { servesOne, nextExpiry } = row.fields
  return { servesOne: servesOne === true, nextExpiry: (nextExpiry as number | null | undefined) ?? undefined }
}

/** Returns the states of flags with targets that have expired. Rows contain the state before. */
async function withoutExpired(
  tx: Reader,
  keys: EnvironmentKeys,
  rows: readonly Row[],
  now: number,
): Promise<ReadonlyMap<string, ServedState>> {
  const hasCome = (time: number) => time <= now
  const idsOf = rows
    .filter((row) => hasCome(stateOf(row).nextExpiry ?? forever))
    .map(({ key: flagKey }) => ({ ...keys, flagKey }))
  const [flagList, configs] = await Promise.all([tx.getMany(flags, idsOf), tx.getMany(flagConfigs, idsOf)])
  const states = new Map<string, ServedState>()
  for (const [i, flag] of flagList.entries()) {
    const stored = configs[i]
    if (!flag || !stored) continue
    const later = (stored.expiringTargets ?? []).map(({ expiresAt }) => expiresAt).filter((time) => !hasCome(time))
    states.set(flag.key, {
      servesOne: servesOneVariation(configAt(flag, stored, { hasCome })),
      nextExpiry: later.length === 0 ? undefined : Math.min(...later),
    })
  }
  return states
}
