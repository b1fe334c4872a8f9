import { type Environment, environments } from '../../../models/environments/environment.ts'
import { type Project, projects } from '../../../models/projects/project.ts'
import { type RelayConfig, relayConfigs } from '../../../models/relay-configs/relay-config.ts'
import { type Role, roles } from '../../../models/roles/role.ts'
import { type SdkKey, sdkKeyDocuments } from '../../../models/sdk-keys/sdk-key.ts'
import type { Host } from '../../../operation/context.ts'
import { parseAddress } from '../../../rules/address.ts'
import type { RelayEnvironments } from '../../../rules/sdk-protocol/relay-messages.ts'
import type { AccountStorage, StorageWatch, TouchedRecords } from '../../../storage/port.ts'
import {
  nextExpiry,
  type ProjectEnvironment,
  type RelayDocuments,
  type RelayKey,
  relayEnvironments,
  relayKeys,
} from './relay-environments.ts'

/**
 * The keys of relays and their environments. Everything that they depend on is read with the first look-up, and again
 * after a change: an unknown key costs no storage query.
 */
export class RelayDirectory {
  readonly #storage: AccountStorage
  readonly #host: Host
  readonly #isNeeded: () => boolean
  readonly #onChange: () => void
  #documents: RelayDocuments = { configs: [], environments: [], roles: [] }
  #keys: ReadonlyMap<string, RelayKey> = new Map()
  /** Environments by the hash of the key, as far as they are computed. */
  readonly #computed = new Map<string, RelayEnvironments>()
  /** Time at which the next key expires: integer ms, UTC; infinity when none does. */
  #nextExpiry = Number.POSITIVE_INFINITY
  #isOutdated = true
  #isStopped = false
  #reading: Promise<void> | undefined
  #watching: StorageWatch | undefined

  /**
   * @param isNeeded returns true while a stream depends on what was found before.
   * @param onChange called when keys or environments may have changed.
   */
  constructor(storage: AccountStorage, host: Host, isNeeded: () => boolean, onChange: () => void) {
    this.#storage = storage
    this.#host = host
    this.#isNeeded = isNeeded
    this.#onChange = onChange
  }

  /**
   * Finds a key.
   *
   * @returns the hash of the key; undefined when it is unknown or has expired.
   * @throws any error of the storage.
   */
  async find(key: string): Promise<string | undefined> {
    // A look-up by the hash takes a time that reveals nothing about valid keys.
    const [hash] = await Promise.all([this.#host.sha256(key), this.#catchUp()])
    return this.environmentsOf(hash) && hash
  }

  /** Returns the environments of a key, as far as they are read; undefined when the key is no longer valid. */
  environmentsOf(hash: string): RelayEnvironments | undefined {
    this.#dropExpired()
    const key = this.#keys.get(hash)
    const now = this.#host.now()
    if (!key || now >= key.until) return undefined
    const found = this.#computed.get(hash) ?? relayEnvironments(this.#documents, key, now)
    this.#computed.set(hash, found)
    return found
  }

  /** Reads again what is outdated, if it is needed. */
  check(): void {
    if (!this.#isOutdated || !this.#isNeeded()) return
    this.#catchUp().catch((error) => this.#host.log({ level: 'error', event: 'relay-configurations-not-read', error }))
  }

  /** Reports keys that have expired, and reads again what the storage does not report. */
  beat(): void {
    this.#dropExpired()
    if (!this.#watching?.live()) this.#isOutdated = true
    this.check()
  }

  /** Drops what was read. */
  clear(): void {
    this.#isOutdated = true
    this.check()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#watching?.stop()
    this.#watching = undefined
  }

  #dropExpired(): void {
    const now = this.#host.now()
    if (now < this.#nextExpiry) return
    this.#nextExpiry = nextExpiry(this.#documents, now)
    this.#computed.clear()
    this.#onChange()
  }

  #onStorageChange(touched: readonly TouchedRecords[] | 'anything'): void {
    if (touched !== 'anything' && !touched.some(concernsRelays)) return
    this.#isOutdated = true
    this.check()
  }

  async #catchUp(): Promise<void> {
    if (!this.#isStopped) this.#watching ??= this.#storage.watch?.((touched) => this.#onStorageChange(touched))
    if (!this.#watching?.live()) this.#isOutdated = true
    // Also waits for a pending read, because what is cached is old until then.
    while (this.#isOutdated || this.#reading) await (this.#reading ??= this.#readOnce())
  }

  /** Changes that are reported during a read cause another read. */
  async #readOnce(): Promise<void> {
    this.#isOutdated = false
    try {
      this.#documents = await readDocuments(this.#storage)
      this.#keys = relayKeys(this.#documents.configs)
      this.#nextExpiry = nextExpiry(this.#documents, this.#host.now())
      this.#computed.clear()
      this.#onChange()
    } catch (error) {
      this.#isOutdated = true
      throw error
    } finally {
      this.#reading = undefined
    }
  }
}

const readCollections = [relayConfigs.name, projects.name, environments.name, roles.name, sdkKeyDocuments.name]

async function readDocuments(storage: AccountStorage): Promise<RelayDocuments> {
  const query = { scope: '', deep: true, limit: 2 ** 31 - 1, select: 'bodies' } as const
  const lists = await Promise.all(readCollections.map((collection) => storage.list({ ...query, collection })))
  const [configs = [], projectItems = [], environmentItems = [], roleItems = [], keyItems = []] = lists.map(
    ({ items }) => items,
  )
  const sdkKeys = new Map<string, SdkKey[]>()
  for (const { scope, body } of keyItems) sdkKeys.set(scope, [...(sdkKeys.get(scope) ?? []), body as SdkKey])
  const projectsByKey = new Map(projectItems.map(({ body }) => [(body as Project).key, body as Project]))
  return {
    configs: configs.map(({ body }) => body as RelayConfig),
    environments: environmentItems.flatMap(({ scope, key, body }): ProjectEnvironment[] => {
      const project = projectsByKey.get(parseAddress(scope)?.[0]?.key ?? '')
      // The lists are not read at one moment, so the project can be missing. Its change causes another read.
      if (!project) return []
      const keys = { projectKey: project.key, environmentKey: key }
      const environment = body as Environment
      return [{ project, environment, sdkKeys: sdkKeys.get(environments.address.address(keys)) ?? [] }]
    }),
    roles: roleItems.map(({ body }) => body as Role),
  }
}

const relevantCollections: ReadonlySet<string> = new Set(readCollections)

/** The scopes under which these documents are stored: the account, and a project. */
const relevantScope = /^[^:]*$/

function concernsRelays(touched: TouchedRecords): boolean {
  switch (touched.kind) {
    case 'document':
      return relevantCollections.has(touched.id.collection)
    case 'collection':
      return relevantCollections.has(touched.collection)
    case 'scope':
      return relevantScope.test(touched.scope)
    default:
      return false
  }
}
