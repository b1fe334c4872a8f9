import { type Environment, environments } from '../../models/environments/environment.ts'
import type { EnvironmentKeys } from '../../models/environments/environment-keys.ts'
import type { Host } from '../../operation/context.ts'
import { parseAddress } from '../../rules/address.ts'
import type { AccountStorage, StorageWatch, TouchedRecords } from '../../storage/port.ts'

/** Kinds of keys by which SDKs identify an environment: two secrets, and the public id for web pages. */
export type KeyKind = 'server' | 'mobile' | 'environmentId'

/** A valid key. */
export interface VerifiedKey {
  /** Kind and SHA-256 of the key. */
  readonly name: string
  readonly environmentRef: EnvironmentKeys
}

/** The keys of all environments of an account. */
export interface SdkKeys {
  /**
   * Finds the environment of a key.
   *
   * @returns undefined for an unknown or expired key.
   * @throws any error of the storage.
   */
  find(kind: KeyKind, key: string): Promise<VerifiedKey | undefined>
  /** Returns true if a key is still valid in the cached keys. */
  isValid(key: VerifiedKey): boolean
  /** Reads outdated keys again, if they are needed. */
  check(): void
  /** Reports keys that have expired. */
  beat(): void
  /** Drops the cached keys. */
  clear(): void
  stop(): Promise<void>
}

/**
 * Makes an empty cache. The keys of all environments are read with the first look-up, and again after a change of an
 * environment: an unknown key costs no storage query, and a replaced key is rejected.
 *
 * @param isNeeded returns true while a stream depends on keys that were found before.
 * @param onChange called when the valid keys have changed.
 */
export function sdkKeys(storage: AccountStorage, host: Host, isNeeded: () => boolean, onChange: () => void): SdkKeys {
  return new SdkKeyIndex(storage, host, isNeeded, onChange)
}

class SdkKeyIndex implements SdkKeys {
  readonly #storage: AccountStorage
  readonly #host: Host
  readonly #isNeeded: () => boolean
  readonly #onChange: () => void
  #index: ReadonlyMap<string, KeyEntry> = new Map()
  /** Time at which the next key expires: integer ms, UTC; infinity when none does. */
  #nextEnd = Number.POSITIVE_INFINITY
  #isOutdated = true
  #isStopped = false
  #reading: Promise<void> | undefined
  #watching: StorageWatch | undefined

  constructor(storage: AccountStorage, host: Host, isNeeded: () => boolean, onChange: () => void) {
    this.#storage = storage
    this.#host = host
    this.#isNeeded = isNeeded
    this.#onChange = onChange
  }

  async find(kind: KeyKind, key: string): Promise<VerifiedKey | undefined> {
    const [name] = await Promise.all([nameOf(this.#host, kind, key), this.#catchUp()])
    const entry = this.#index.get(name)
    return entry && this.#host.now() < entry.until ? { name, environmentRef: entry.environmentRef } : undefined
  }

  isValid({ name, environmentRef }: VerifiedKey): boolean {
    const entry = this.#index.get(name)
    if (!entry || this.#host.now() >= entry.until) return false
    return (
      entry.environmentRef.projectKey === environmentRef.projectKey &&
      entry.environmentRef.environmentKey === environmentRef.environmentKey
    )
  }

  check(): void {
    if (!this.#isOutdated || !this.#isNeeded()) return
    this.#catchUp().catch((error) => this.#host.log({ level: 'error', event: 'sdk-keys-not-read', error }))
  }

  beat(): void {
    const now = this.#host.now()
    if (now < this.#nextEnd) return
    this.#nextEnd = endAfter(this.#index, now)
    this.#onChange()
  }

  clear(): void {
    this.#isOutdated = true
    this.check()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#watching?.stop()
    this.#watching = undefined
  }

  #onStorageChange(touched: readonly TouchedRecords[] | 'anything'): void {
    if (touched !== 'anything' && !touched.some(isAboutEnvironments)) return
    this.#isOutdated = true
    this.check()
  }

  async #catchUp(): Promise<void> {
    if (!this.#isStopped) this.#watching ??= this.#storage.watch?.((touched) => this.#onStorageChange(touched))
    if (!this.#watching?.live()) this.#isOutdated = true
    // Also waits for a pending read, because the cached keys are old until then.
    while (this.#isOutdated || this.#reading) await (this.#reading ??= this.#readOnce())
  }

  /** Changes that are reported during a read cause another read. */
  async #readOnce(): Promise<void> {
    this.#isOutdated = false
    try {
      this.#index = await readKeys(this.#storage, this.#host)
      this.#nextEnd = endAfter(this.#index, this.#host.now())
      this.#onChange()
    } catch (error) {
      this.#isOutdated = true
      throw error
    } finally {
      this.#reading = undefined
    }
  }
}

/** The environment of a key, and the time at which it expires: integer ms, UTC; infinity when it does not. */
interface KeyEntry {
  readonly environmentRef: EnvironmentKeys
  readonly until: number
}

async function readKeys(storage: AccountStorage, host: Host): Promise<Map<string, KeyEntry>> {
  const { items } = await storage.list({
    collection: environments.name,
    scope: '',
    deep: true,
    limit: 2 ** 31 - 1,
    select: 'bodies',
  })
  const entries = items.flatMap(({ scope, body }) => {
    const environment = body as Environment
    const projectKey = parseAddress(scope)?.[0]?.key as string
    const environmentRef = { projectKey, environmentKey: environment.key }
    return keysOf(environment).map(
      async ([kind, value, until]) => [await nameOf(host, kind, value), { environmentRef, until }] as const,
    )
  })
  return new Map(await Promise.all(entries))
}

function keysOf({ apiKey, retiredApiKey, mobileKey, id }: Environment): (readonly [KeyKind, string, number])[] {
  const never = Number.POSITIVE_INFINITY
  return [
    ...(retiredApiKey ? [['server', retiredApiKey.value, retiredApiKey.until] as const] : []),
    ['server', apiKey, never],
    ['mobile', mobileKey, never],
    ['environmentId', id, never],
  ]
}

function endAfter(index: ReadonlyMap<string, KeyEntry>, now: number): number {
  let next = Number.POSITIVE_INFINITY
  for (const { until } of index.values()) if (until > now) next = Math.min(next, until)
  return next
}

/** The keys are looked up by a hash, so that the time of a look-up reveals nothing about valid keys. */
async function nameOf(host: Host, kind: KeyKind, key: string): Promise<string> {
  return `${kind}:${await host.sha256(key)}`
}

function isAboutEnvironments(touched: TouchedRecords): boolean {
  switch (touched.kind) {
    case 'document':
      return touched.id.collection === environments.name
    case 'collection':
      return touched.collection === environments.name
    case 'scope':
      // Scopes below a project, such as that of a flag, contain no environments.
      return !touched.scope.includes(':')
    default:
      return false
  }
}
