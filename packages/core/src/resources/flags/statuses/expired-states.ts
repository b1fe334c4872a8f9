import type { EnvironmentKeys } from '../../../models/environments/environment-keys.ts'
import { flags } from '../../../models/flags/flag.ts'
import { flagConfigs } from '../../../models/flags/flag-config.ts'
import { servesOneVariation } from '../../../models/flags/served-variations.ts'
import type { Reader, Row } from '../../../storage/reader.ts'
import { configAt } from '../config-at.ts'

/** State of a flag in an environment until its next target expires. */
export interface ConfigState {
  readonly on: boolean
  /** True when every context gets the same variation while the flag is on. */
  readonly servesOne: boolean
  /** Time of the last change, which may be the expiry of a target: integer ms, UTC. */
  readonly changedAt: number
  /** Time at which the next target expires: integer ms, UTC. */
  readonly nextExpiry: number | undefined
}

/** Returns the state that the row of a configuration contains. */
export function stateOf({ fields: { on, servesOne, lastModified, nextExpiry } }: Row): ConfigState {
  return {
    on: on === true,
    servesOne: servesOne === true,
    changedAt: lastModified as number,
    nextExpiry: (nextExpiry as number | null | undefined) ?? undefined,
  }
}

/**
 * Returns, by their keys, the states of flags with targets that have expired. The rows of their configurations contain
 * the states before.
 *
 * @param now integer ms, UTC.
 */
export async function statesAfterExpiry(
  tx: Reader,
  keys: EnvironmentKeys,
  rows: readonly Row[],
  now: number,
): Promise<ReadonlyMap<string, ConfigState>> {
  const hasCome = (time: number) => time <= now
  const expired = rows.filter(({ fields: { nextExpiry } }) => typeof nextExpiry === 'number' && hasCome(nextExpiry))
  const states = new Map<string, ConfigState>()
  if (expired.length === 0) return states
  const configKeys = expired.map(({ key: flagKey }) => ({ ...keys, flagKey }))
  const [flagList, configs] = await Promise.all([tx.getMany(flags, configKeys), tx.getMany(flagConfigs, configKeys)])
  for (const [i, flag] of flagList.entries()) {
    const stored = configs[i]
    if (!flag || !stored) continue
    const config = configAt(flag, stored, { hasCome })
    const later = (stored.expiringTargets ?? []).map(({ expiresAt }) => expiresAt).filter((time) => !hasCome(time))
    states.set(flag.key, {
      on: config.on,
      servesOne: servesOneVariation(config),
      changedAt: config.lastModified,
      nextExpiry: later.length === 0 ? undefined : Math.min(...later),
    })
  }
  return states
}
