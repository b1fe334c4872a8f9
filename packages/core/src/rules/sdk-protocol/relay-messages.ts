import { message } from './server-messages.ts'

/** An environment as relays receive it. */
export interface RelayEnvironment {
  readonly envID: string
  readonly envKey: string
  readonly envName: string
  readonly projKey: string
  readonly projName: string
  readonly sdkKey: {
    readonly value: string
    /** The previous key, and the time from which it is invalid: integer ms, UTC. */
    readonly expiring?: { readonly value: string; readonly timestamp: number }
  }
  readonly mobKey: string
  /** All valid keys of server-side SDKs, including the two keys above. Omitted when there are no further keys. */
  readonly sdkKeys?: readonly RelayKeyEntry[]
  /** All valid keys of mobile SDKs, including `mobKey`. Omitted when there are no further keys. */
  readonly mobileKeys?: readonly RelayKeyEntry[]
  /** The default time to live that the relay format requires, in minutes. */
  readonly defaultTtl: number
  readonly secureMode: boolean
  /** Increases with each change. A relay ignores an environment unless its version is higher than the known one. */
  readonly version: number
}

/** A key by which SDKs connect to a relay. */
interface RelayKeyEntry {
  /** Identifies the key among the keys of its environment. It is not a secret. */
  readonly key: string
  /** The secret that SDKs send. */
  readonly value: string
  /** Time from which the key is invalid: integer ms, UTC. Default: never. */
  readonly expiry?: number
  /** Always false: no key is limited to views. */
  readonly hasViews: boolean
}

/** The environments of a relay, by id. */
export type RelayEnvironments = ReadonlyMap<string, RelayEnvironment>

/** Creates the event that replaces all environments of a relay. */
export function relayPutMessage(environments: RelayEnvironments): string {
  return message('put', JSON.stringify({ path: '/', data: { environments: Object.fromEntries(environments) } }))
}

/**
 * Creates the events after which a relay has the environments `after` in place of `before`; '' when nothing differs.
 *
 * A relay stores the version of a deleted environment, and ignores the environment until its version is higher. An
 * environment that becomes visible again, or is restored, does not always have a higher version. So a `put` follows
 * every deletion: a relay deletes all environments that a `put` does not contain, with their versions.
 */
export function relayChangeMessages(before: RelayEnvironments, after: RelayEnvironments): string {
  const removed = [...before.values()].filter(({ envID }) => !after.has(envID))
  const changed = [...after.values()].filter((environment) => !isSame(environment, before.get(environment.envID)))
  const restored = changed.filter(({ envID, version }) => version <= (before.get(envID)?.version ?? -1))
  if (removed.length === 0 && restored.length === 0) return changed.map(patchMessage).join('')
  const unsent = new Map(after)
  for (const { envID } of restored) unsent.delete(envID)
  return [...removed.map(deleteMessage), relayPutMessage(unsent), ...restored.map(patchMessage)].join('')
}

/**
 * Returns true when an environment equals the environment that a relay received, or differs from it only in a higher
 * version.
 */
function isSame(environment: RelayEnvironment, known: RelayEnvironment | undefined): boolean {
  if (known === undefined || environment.version < known.version) return false
  const { version } = known
  return JSON.stringify({ ...environment, version }) === JSON.stringify(known)
}

function patchMessage(data: RelayEnvironment): string {
  return message('patch', JSON.stringify({ path: `/environments/${data.envID}`, data }))
}

function deleteMessage({ envID, version }: RelayEnvironment): string {
  return message('delete', JSON.stringify({ path: `/environments/${envID}`, version: version + 1 }))
}
