import { type Environment, environments } from '../../models/environments/environment.ts'
import type { EnvironmentKeys } from '../../models/environments/environment-keys.ts'
import { type SdkKey, sdkKeyDocuments } from '../../models/sdk-keys/sdk-key.ts'
import type { Host } from '../../operation/context.ts'
import { parseAddress } from '../../rules/address.ts'
import type { AccountStorage, ListedDocument } from '../../storage/port.ts'
import { CachedDocuments } from './cached-documents.ts'

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
  /**
   * Returns the cached SDK keys with which server-side SDKs can connect to an environment now. The
   * cache is current after `find`.
   */
  serverKeys(environmentRef: EnvironmentKeys): readonly string[]
  /** Reads outdated keys again, if they are needed. */
  check(): void
  /** Reports keys that have expired. */
  beat(): void
  /** Drops the cached keys. */
  clear(): void
  stop(): Promise<void>
}

/** The streams that depend on keys. */
interface KeyUse {
  /** Returns true while a stream depends on keys that were found before. */
  readonly isNeeded: () => boolean
  /** Called when the valid keys have changed. */
  readonly onChange: () => void
  /** Returns the key that SDKs must use in place of a stored key. Default: the stored key. */
  readonly keyOf: KeyOf | undefined
}

/**
 * Makes an empty cache. The keys of all environments are read at the first look-up, and again after a change of an
 * environment or of an SDK key. So an unknown key costs no storage query, and a replaced or deleted key is rejected.
 */
export function sdkKeys(storage: AccountStorage, host: Host, use: KeyUse): SdkKeys {
  return new SdkKeyIndex(storage, host, use)
}

/** Returns the key that SDKs use in place of a stored one. */
type KeyOf = (stored: string) => Promise<string>

class SdkKeyIndex implements SdkKeys {
  readonly #host: Host
  readonly #onChange: () => void
  readonly #keyOf: KeyOf
  readonly #documents: CachedDocuments
  #index: ReadonlyMap<string, KeyEntry> = new Map()
  #serverKeys: ReadonlyMap<string, readonly ReadKey[]> = new Map()
  /** Time at which the next key expires: integer ms, UTC; infinity when no key expires. */
  #nextEnd = Number.POSITIVE_INFINITY

  constructor(storage: AccountStorage, host: Host, { isNeeded, onChange, keyOf = async (stored) => stored }: KeyUse) {
    this.#host = host
    this.#onChange = onChange
    this.#keyOf = keyOf
    this.#documents = new CachedDocuments(storage, host, {
      collections: [environments.name, sdkKeyDocuments.name],
      // Matches the scopes in which documents with keys are stored: addresses of projects and of environments.
      scopes: /^[^:]*(:env\/[^:]*)?$/,
      isNeeded,
      onRead: ([environmentItems = [], keyItems = []]) => this.#replace(environmentItems, keyItems),
      failureEvent: 'sdk-keys-not-read',
    })
  }

  async find(kind: KeyKind, key: string): Promise<VerifiedKey | undefined> {
    const [name] = await Promise.all([nameOf(this.#host, kind, key), this.#documents.catchUp()])
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

  serverKeys(environmentRef: EnvironmentKeys): readonly string[] {
    const now = this.#host.now()
    const keys = this.#serverKeys.get(environmentName(environmentRef)) ?? []
    return keys.filter(({ until }) => now < until).map(({ value }) => value)
  }

  check(): void {
    this.#documents.check()
  }

  beat(): void {
    const now = this.#host.now()
    if (now < this.#nextEnd) return
    this.#nextEnd = endAfter(this.#index, now)
    this.#onChange()
  }

  clear(): void {
    this.#documents.invalidate()
  }

  stop(): Promise<void> {
    return this.#documents.stop()
  }

  async #replace(environmentItems: readonly ListedDocument[], keyItems: readonly ListedDocument[]): Promise<void> {
    const keys = await readKeys(environmentItems, keyItems, this.#keyOf)
    this.#index = await indexOf(keys, this.#host)
    this.#serverKeys = serverKeysByEnvironment(keys)
    this.#nextEnd = endAfter(this.#index, this.#host.now())
    this.#onChange()
  }
}

/**
 * The environment of a key, and the time at which the key expires: integer ms, UTC; infinity for a key that does not
 * expire.
 */
interface KeyEntry {
  readonly environmentRef: EnvironmentKeys
  readonly until: number
}

/** A key in the form in which SDKs send it. */
interface ReadKey extends KeyEntry {
  readonly kind: KeyKind
  readonly value: string
}

async function readKeys(
  environmentItems: readonly ListedDocument[],
  keyItems: readonly ListedDocument[],
  keyOf: KeyOf,
): Promise<readonly ReadKey[]> {
  const stored = [
    ...environmentItems.flatMap(({ scope, body }) => keysOfEnvironment(scope, body as Environment)),
    ...keyItems.flatMap(({ scope, body }) => keysOfDocument(scope, body as SdkKey)),
  ]
  return Promise.all(stored.map(async (key) => ({ ...key, value: await keyOf(key.value) })))
}

const never = Number.POSITIVE_INFINITY

function keysOfEnvironment(scope: string, environment: Environment): readonly ReadKey[] {
  const { key, apiKey, retiredApiKey, mobileKey, id } = environment
  const environmentRef = { projectKey: parseAddress(scope)?.[0]?.key as string, environmentKey: key }
  return [
    { environmentRef, kind: 'server', value: apiKey, until: never },
    ...(retiredApiKey ? [{ environmentRef, kind: 'server', ...retiredApiKey } as const] : []),
    { environmentRef, kind: 'mobile', value: mobileKey, until: never },
    { environmentRef, kind: 'environmentId', value: id, until: never },
  ]
}

function keysOfDocument(scope: string, { kind, value, expiry: until = never }: SdkKey): readonly ReadKey[] {
  const [project, environment] = parseAddress(scope) ?? []
  if (!project || !environment || value === undefined) return []
  const environmentRef = { projectKey: project.key, environmentKey: environment.key }
  return [{ environmentRef, kind: kind === 'mobile' ? 'mobile' : 'server', value, until }]
}

function serverKeysByEnvironment(keys: readonly ReadKey[]): Map<string, readonly ReadKey[]> {
  const byEnvironment = new Map<string, ReadKey[]>()
  for (const key of keys) {
    if (key.kind !== 'server') continue
    const name = environmentName(key.environmentRef)
    byEnvironment.set(name, [...(byEnvironment.get(name) ?? []), key])
  }
  return byEnvironment
}

function environmentName({ projectKey, environmentKey }: EnvironmentKeys): string {
  return `${projectKey}/${environmentKey}`
}

async function indexOf(keys: readonly ReadKey[], host: Host): Promise<Map<string, KeyEntry>> {
  const entries = keys.map(
    async ({ kind, value, environmentRef, until }) =>
      [await nameOf(host, kind, value), { environmentRef, until }] as const,
  )
  return new Map(await Promise.all(entries))
}

function endAfter(index: ReadonlyMap<string, KeyEntry>, now: number): number {
  let next = Number.POSITIVE_INFINITY
  for (const { until } of index.values()) if (until > now) next = Math.min(next, until)
  return next
}

/**
 * Returns the name under which a key is looked up: a hash, so that the time of a look-up reveals nothing about valid
 * keys.
 */
async function nameOf(host: Host, kind: KeyKind, key: string): Promise<string> {
  return `${kind}:${await host.sha256(key)}`
}
