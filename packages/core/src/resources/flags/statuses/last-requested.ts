import {
  evaluationCountingStarts,
  evaluationsKeys,
  flagUses,
} from '../../../models/flag-evaluations/flag-evaluation.ts'
import type { ConfigKeys } from '../../../models/flags/flag-config.ts'
import { statusPeriod } from '../../../rules/flag-status/flag-status.ts'
import type { Condition } from '../../../storage/port.ts'
import type { Reader } from '../../../storage/reader.ts'

/**
 * Returns the times at which flags were last evaluated, each in one environment, with one storage request per
 * collection: integer ms; null for never; undefined when it is unknown, because the environment has counted evaluations
 * for less than `statusPeriod`.
 *
 * @param now integer ms, UTC.
 */
export async function lastRequested(
  tx: Reader,
  keysList: readonly ConfigKeys[],
  now: number,
): Promise<(number | null | undefined)[]> {
  const environments = new Map(
    keysList.map((keys) => [environmentNameOf(keys), { ...environmentOf(keys), ...evaluationsKeys }]),
  )
  const [uses, counters] = await Promise.all([
    tx.getMany(flagUses, keysList),
    tx.getMany(evaluationCountingStarts, [...environments.values()]),
  ])
  const countingSince = new Map([...environments.keys()].map((name, index) => [name, counters[index]?.since]))
  return keysList.map(
    (keys, index) => uses[index]?.lastRequested ?? neverOrUnknown(countingSince.get(environmentNameOf(keys)), now),
  )
}

/** The times at which flags were last evaluated in one environment. */
export interface RequestedTimes {
  /** Keys of the flags that were evaluated. */
  readonly flagKeys: readonly string[]
  /** Returns the time for a flag, as `lastRequested` does. */
  readonly timeOf: (flagKey: string) => number | null | undefined
  /** Time from which no time is unknown: integer ms, UTC; undefined when no evaluation was counted. */
  readonly knownFrom: number | undefined
}

/**
 * Returns the times at which flags were last evaluated in one environment, from indexed fields.
 *
 * @param flagKeys default: all flags of the environment.
 */
export async function lastRequestedIn(
  tx: Reader,
  environmentKeys: Omit<ConfigKeys, 'flagKey'>,
  flagKeys: readonly string[] | undefined,
  now: number,
): Promise<RequestedTimes> {
  const where: Condition[] = flagKeys ? [{ op: 'anyOf', field: 'key', values: flagKeys }] : []
  const [uses, counters] = await Promise.all([
    flagKeys?.length === 0
      ? undefined
      : tx.listRows(flagUses, environmentKeys, { where, limit: Number.MAX_SAFE_INTEGER }),
    tx.listRows(evaluationCountingStarts, environmentKeys, { limit: 1 }),
  ])
  const since = counters.items[0]?.fields.since as number | undefined
  const never = neverOrUnknown(since, now)
  const timeByFlag = new Map(uses?.items.map(({ key, fields }) => [key, fields.lastRequested as number]))
  return {
    flagKeys: [...timeByFlag.keys()],
    timeOf: (flagKey) => timeByFlag.get(flagKey) ?? never,
    knownFrom: since === undefined ? undefined : since + statusPeriod,
  }
}

/**
 * Returns the value for a flag that no SDK has reported. It is unknown until the environment has counted evaluations
 * for `statusPeriod`.
 */
function neverOrUnknown(countingSince: number | undefined, now: number): null | undefined {
  return countingSince !== undefined && now - countingSince >= statusPeriod ? null : undefined
}

function environmentOf({ projectKey, environmentKey }: ConfigKeys) {
  return { projectKey, environmentKey }
}

function environmentNameOf({ projectKey, environmentKey }: ConfigKeys): string {
  return `${projectKey}:${environmentKey}`
}
