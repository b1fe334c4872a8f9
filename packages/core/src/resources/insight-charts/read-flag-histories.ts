import { environments } from '../../models/environments/environment.ts'
import { flags } from '../../models/flags/flag.ts'
import { configState, flagChanges, stateColumns, statesOf } from '../../models/flags/flag-changes.ts'
import { flagConfigs } from '../../models/flags/flag-config.ts'
import type { ReadContext } from '../../operation/context.ts'
import type { ConfigState, FlagHistory } from '../../rules/insight-charts/index.ts'
import type { BucketQuery } from '../../rules/lead-time/index.ts'
import type { Condition, SampleColumns } from '../../storage/port.ts'
import type { ListResult, Reader, Row } from '../../storage/reader.ts'
import { configAt } from '../flags/config-at.ts'
import { lastRequestedIn } from '../flags/statuses/last-requested.ts'

interface EnvironmentRef {
  readonly projectKey: string
  readonly environmentKey: string
}

const noLimit = Number.MAX_SAFE_INTEGER

/**
 * Reads the histories of the configurations of a project's flags in an environment: the current configuration, and the
 * earlier ones from the changes since the start of a range. It contains only flags that existed in the range and whose
 * status the caller may view.
 *
 * Flags that were deleted since are not included. The maintainer of a flag, and whether it is temporary, are current
 * values.
 *
 * @param flagConditions conditions on flags.
 * @returns undefined when the environment does not exist.
 */
export async function readFlagHistories(
  context: Pick<ReadContext, 'tx' | 'readClock' | 'allowed'>,
  { projectKey, environmentKey }: EnvironmentRef,
  { from, to }: Pick<BucketQuery, 'from' | 'to'>,
  flagConditions: readonly Condition[] = [],
): Promise<FlagHistory[] | undefined> {
  const { tx } = context
  const now = context.readClock()
  const environmentKeys = { projectKey, environmentKey }
  // Queries that start together are one statement of a database; a second batch costs another round trip.
  const environment = environmentRow(tx, environmentKeys)
  const requested = flagConditions.length === 0 ? lastRequestedIn(tx, environmentKeys, undefined, now) : undefined
  const [flagRows, changes, all] = await Promise.all([
    tx.listRows(flags, environmentKeys, { where: [...flagConditions, ...existedIn(from, to, now)], limit: noLimit }),
    tx.scan(flagChanges, environmentKeys, { from, to: now + 1, columns: stateColumns }),
    flagConditions.length === 0 ? tx.listRows(flagConfigs, environmentKeys, { limit: noLimit }) : undefined,
    environment,
    requested,
  ])
  const visibleRows = await visible(context, environmentKeys, flagRows.items)
  return historiesOf(context, environmentKeys, visibleRows, { changes, all, environment, requested })
}

/**
 * Reads the histories of flags whose rows are known, without checks of permissions: their current configurations, and
 * the earlier ones from the changes since a time.
 *
 * @param from integer ms.
 */
export function readHistoriesOf(
  context: Pick<ReadContext, 'tx' | 'readClock'>,
  environmentKeys: EnvironmentRef,
  rows: readonly Row[],
  from: number,
): Promise<FlagHistory[] | undefined> {
  const { tx } = context
  const now = context.readClock()
  const { projectKey, environmentKey } = environmentKeys
  const changes = tx.scan(flagChanges, { projectKey, environmentKey }, { from, to: now + 1, columns: stateColumns })
  const environment = environmentRow(tx, { projectKey, environmentKey })
  return historiesOf(context, { projectKey, environmentKey }, rows, { changes, environment })
}

/**
 * Reads the row of the environment as a list, so that the storage can combine this query with the others into one
 * statement.
 */
async function environmentRow(tx: Reader, environmentKeys: EnvironmentRef): Promise<Row | undefined> {
  const where = [{ op: 'equals', field: 'key', value: environmentKeys.environmentKey } as const]
  return (await tx.listRows(environments, environmentKeys, { where, limit: 1 })).items[0]
}

interface HistorySources {
  /** Changes of configurations, from the series `flagChanges`. */
  readonly changes: SampleColumns | Promise<SampleColumns>
  /** All configurations of the environment, when they were read. */
  readonly all?: Configs | undefined
  readonly environment: Promise<Row | undefined>
  /** Times of the latest evaluations by SDKs, when they were read for all flags. */
  readonly requested?: ReturnType<typeof lastRequestedIn> | undefined
}

async function historiesOf(
  context: Pick<ReadContext, 'tx' | 'readClock'>,
  environmentKeys: EnvironmentRef,
  visibleRows: readonly Row[],
  { changes, all, environment, requested: requestedOfAll }: HistorySources,
): Promise<FlagHistory[] | undefined> {
  const { tx } = context
  const now = context.readClock()
  const keys = visibleRows.map(({ key }) => key)
  const withExpired = async ({ items }: Configs) => {
    const rows = new Map(items.map((row) => [row.key, row]))
    return { rows, expired: await expiredStates(tx, environmentKeys, { rows, visibleRows }, now) }
  }
  const [flagRows, requested, { rows, expired }, changed] = await Promise.all([
    environment,
    requestedOfAll ?? lastRequestedIn(tx, environmentKeys, keys, now),
    // The configurations of some flags can only be read after these flags are known.
    all ? withExpired(all) : configsOf(tx, environmentKeys, keys).then(withExpired),
    Promise.resolve(changes).then(statesOf),
  ])
  const environmentCreatedAt = flagRows?.fields.createdAt as number | undefined
  if (environmentCreatedAt === undefined) return undefined
  return visibleRows.map(({ key, fields }): FlagHistory => {
    const createdAt = fields.createdAt as number
    const currentStates = expired.get(key) ?? [rowState(rows.get(key), createdAt)]
    const archivedAt = fields.archivedDate
    return {
      createdAt,
      from: Math.max(createdAt, environmentCreatedAt),
      to: typeof archivedAt === 'number' ? archivedAt : Number.POSITIVE_INFINITY,
      states: mergeStates(createdAt, currentStates, changed.get(key)),
      lastRequested: requested.timeOf(key),
      temporary: fields.temporary === true,
      maintainer: maintainerOf(fields),
    }
  })
}

type Configs = Pick<ListResult<Row>, 'items'>

async function configsOf(tx: Reader, environmentKeys: EnvironmentRef, values: readonly string[]): Promise<Configs> {
  if (values.length === 0) return { items: [] }
  return tx.listRows(flagConfigs, environmentKeys, {
    where: [{ op: 'anyOf', field: 'key', values }],
    limit: values.length,
  })
}

/** Conditions of flags that existed at some time of the range: created by its end, and not archived before it. */
function existedIn(from: number, to: number, now: number): Condition[] {
  return [
    { op: 'not', condition: { op: 'range', field: 'archivedDate', to: from } },
    ...(to < now ? [{ op: 'range', field: 'createdAt', to: to + 1 } as const] : []),
  ]
}

/** Returns the rows of the flags whose status the caller may view. */
async function visible(
  context: Pick<ReadContext, 'allowed'>,
  { projectKey, environmentKey }: EnvironmentRef,
  rows: readonly Row[],
): Promise<readonly Row[]> {
  const allowed = await Promise.all(
    rows.map(({ key: flagKey }) =>
      context.allowed('viewFlagStatus', flagConfigs, { projectKey, environmentKey, flagKey }),
    ),
  )
  return rows.filter((_, i) => allowed[i])
}

/** Returns the state of a configuration from its row. A configuration that was never changed is off. */
function rowState(row: Row | undefined, createdAt: number): ConfigState {
  if (!row) return { since: createdAt, on: false, servesOne: true }
  const { lastModified, on, servesOne } = row.fields
  return { since: lastModified as number, on: on === true, servesOne: servesOne === true }
}

/** The rows of configurations by the keys of their flags, and the rows of the visible flags. */
interface ConfigRows {
  readonly rows: ReadonlyMap<string, Row>
  readonly visibleRows: readonly Row[]
}

/**
 * Returns the states of configurations with expired targets, which rows do not contain: the stored state, and the state
 * after each date.
 */
async function expiredStates(
  tx: Reader,
  environmentKeys: EnvironmentRef,
  { rows, visibleRows }: ConfigRows,
  now: number,
): Promise<Map<string, readonly ConfigState[]>> {
  const keys = visibleRows
    .filter(({ key }) => ((rows.get(key)?.fields.nextExpiry as number | null | undefined) ?? Infinity) <= now)
    .map(({ key: flagKey }) => ({ ...environmentKeys, flagKey }))
  const [flagRows, stored] = await Promise.all([tx.getMany(flags, keys), tx.getMany(flagConfigs, keys)])
  const states = keys.map(({ flagKey }, i): [string, readonly ConfigState[]] => {
    const [flag, config] = [flagRows[i], stored[i]]
    if (!flag || !config) return [flagKey, []]
    const dates = (config.expiringTargets ?? []).map(({ expiresAt }) => expiresAt).filter((date) => date <= now)
    return [
      flagKey,
      [
        configState(config),
        ...dates.map((date) => configState(configAt(flag, config, { hasCome: (at) => at <= date }))),
      ],
    ]
  })
  return new Map(states)
}

/** Sorts the states of a flag by their start. States of an earlier flag with the same key are removed. */
function mergeStates(
  createdAt: number,
  currentStates: readonly ConfigState[],
  changed: readonly ConfigState[] = [],
): readonly ConfigState[] {
  if (changed.length === 0 && currentStates.length === 1) return currentStates
  return [...changed, ...currentStates].filter(({ since }) => since >= createdAt).sort((a, b) => a.since - b.since)
}

function maintainerOf({ maintainerId, maintainerTeamKey }: Row['fields']): string {
  if (typeof maintainerTeamKey === 'string') return `team/${maintainerTeamKey}`
  return typeof maintainerId === 'string' ? `member/${maintainerId}` : 'none'
}
