import { environments } from '../../../models/environments/environment.ts'
import type { EnvironmentKeys } from '../../../models/environments/environment-keys.ts'
import { flags } from '../../../models/flags/flag.ts'
import { flagConfigs, mayExpireForUser } from '../../../models/flags/flag-config.ts'
import type { ReadContext } from '../../../operation/context.ts'
import { linkTo, path } from '../../../operation/link.ts'
import type { ExpiringTarget } from '../../../rules/expiring-targets/expiring-targets.ts'
import { userKind } from '../../../rules/targeting/clause.ts'
import type { Reader } from '../../../storage/reader.ts'
import { serializeExpiry } from '../../targeting/expiring-target-response.ts'
import { configAt } from '../config-at.ts'
import { datesOf } from './expiring-flag-targets.ts'

/** A user in an environment. */
export interface UserKeys extends EnvironmentKeys {
  readonly userKey: string
}

/** An expiry date of a user, with its flag. */
export interface DateOfUser {
  readonly flagKey: string
  readonly target: ExpiringTarget
}

const limit = Number.MAX_SAFE_INTEGER

/**
 * Returns the future expiry dates of a user in all flags of an environment; undefined when the environment does not
 * exist. Reads only the flags that the index contains for the user, not all flags of the project.
 */
export async function datesOfUser(
  context: Pick<ReadContext, 'tx' | 'hasCome'>,
  { userKey, ...keys }: UserKeys,
): Promise<readonly DateOfUser[] | undefined> {
  const { tx } = context
  const [environment, flagKeys] = await Promise.all([tx.get(environments, keys), flagsOfUser(tx, keys, userKey)])
  if (!environment) return undefined
  const configKeys = flagKeys.map((flagKey) => ({ ...keys, flagKey }))
  const [flagList, configs] = await Promise.all([tx.getMany(flags, configKeys), tx.getMany(flagConfigs, configKeys)])
  return flagKeys.flatMap((flagKey, index) => {
    const [flag, config] = [flagList[index], configs[index]]
    return flag && config
      ? datesOf(configAt(flag, config, context))
          .filter((target) => isOfUser(target, userKey))
          .map((target) => ({ flagKey, target }))
      : []
  })
}

/** Returns the keys of the flags in which a user may have an expiry date. */
async function flagsOfUser(tx: Reader, keys: EnvironmentKeys, userKey: string): Promise<readonly string[]> {
  const lists = await Promise.all(
    mayExpireForUser(userKey).map((where) => tx.listRows(flagConfigs, keys, { where, limit })),
  )
  return lists.flatMap(({ items }) => items.map(({ key }) => key))
}

/** Returns true for the date of a user. */
export function isOfUser({ contextKind, contextKey }: ExpiringTarget, userKey: string): boolean {
  return contextKind === userKind && contextKey === userKey
}

/** Serializes the expiry dates of a user, the nearest first. */
export function serializeDatesOfUser(
  { format }: Pick<ReadContext, 'format'>,
  { projectKey, environmentKey, userKey }: UserKeys,
  dates: readonly DateOfUser[],
) {
  const sorted = dates.toSorted((a, b) => a.target.expiresAt - b.target.expiresAt || (a.flagKey < b.flagKey ? -1 : 1))
  const self = linkTo(path`/api/v2/users/${projectKey}/${userKey}/expiring-user-targets/${environmentKey}`)
  return {
    items: sorted.map(({ flagKey, target }) => ({
      ...serializeExpiry(format, { kind: 'flag', projectKey, environmentKey, key: flagKey }, target),
      variationId: target.place,
      userKey,
    })),
    _links: { self },
  }
}
