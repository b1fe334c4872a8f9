import { type Environment, environments } from '../../../models/environments/environment.ts'
import { type Project, projects } from '../../../models/projects/project.ts'
import { type RelayConfig, relayConfigs } from '../../../models/relay-configs/relay-config.ts'
import { type Role, roles } from '../../../models/roles/role.ts'
import { type SdkKey, sdkKeyDocuments } from '../../../models/sdk-keys/sdk-key.ts'
import type { Host } from '../../../operation/context.ts'
import { parseAddress } from '../../../rules/address.ts'
import type { RelayEnvironments } from '../../../rules/sdk-protocol/relay-messages.ts'
import type { AccountStorage, ListedDocument } from '../../../storage/port.ts'
import { CachedDocuments } from '../cached-documents.ts'
import {
  nextExpiry,
  type ProjectEnvironment,
  type RelayDocuments,
  type RelayKey,
  relayEnvironments,
  relayKeys,
} from './relay-environments.ts'

/** The functions that a directory calls. */
export interface DirectoryCallbacks {
  /** Returns true while a stream depends on an earlier look-up. */
  readonly isNeeded: () => boolean
  /** Called when keys or environments may have changed. */
  readonly onChange: () => void
}

/**
 * The keys of relays and their environments. All documents that they depend on are read at the first look-up, and again
 * after a change, so that an unknown key costs no storage query.
 */
export class RelayDirectory {
  readonly #host: Host
  readonly #onChange: () => void
  readonly #cached: CachedDocuments
  #documents: RelayDocuments = { configs: [], environments: [], roles: [] }
  #keys: ReadonlyMap<string, RelayKey> = new Map()
  /** Environments by the hash of the key, for the keys whose environments were computed. */
  readonly #computed = new Map<string, RelayEnvironments>()
  /** Time at which the next key expires: integer ms, UTC; infinity when no key expires. */
  #nextExpiry = Number.POSITIVE_INFINITY

  /**
   */
  constructor(storage: AccountStorage, host: Host, { isNeeded, onChange }: DirectoryCallbacks) {
    this.#host = host
    this.#onChange = onChange
    this.#cached = new CachedDocuments(storage, host, {
      collections: [relayConfigs.name, projects.name, environments.name, roles.name, sdkKeyDocuments.name],
      // Matches the scopes of the account and of a project. The deletion of an environment is also reported as a change
      // of its document.
      scopes: /^[^:]*$/,
      isNeeded,
      onRead: (lists) => this.#replace(documentsIn(lists)),
      failureEvent: 'relay-configurations-not-read',
    })
  }

  /**
   * Finds a key.
   *
   * @returns the hash of the key; undefined when it is unknown or has expired.
   * @throws any error of the storage.
   */
  async find(key: string): Promise<string | undefined> {
    // A look-up by the hash takes a time that reveals nothing about valid keys.
    const [hash] = await Promise.all([this.#host.sha256(key), this.#cached.catchUp()])
    return this.environmentsOf(hash) && hash
  }

  /** Returns those environments of a key that have been read; undefined when the key is no longer valid. */
  environmentsOf(hash: string): RelayEnvironments | undefined {
    this.#dropExpired()
    const key = this.#keys.get(hash)
    const now = this.#host.now()
    if (!key || now >= key.until) return undefined
    const relayEnvironmentsOfKey = this.#computed.get(hash) ?? relayEnvironments(this.#documents, key, now)
    this.#computed.set(hash, relayEnvironmentsOfKey)
    return relayEnvironmentsOfKey
  }

  /** Reads outdated documents again, if a stream needs them. */
  check(): void {
    this.#cached.check()
  }

  /** Reports expired keys, and reads documents again whose changes the storage does not report. */
  beat(): void {
    this.#dropExpired()
    if (this.#cached.isReported()) this.#cached.check()
    else this.#cached.invalidate()
  }

  /** Drops the documents that were read. */
  clear(): void {
    this.#cached.invalidate()
  }

  stop(): Promise<void> {
    return this.#cached.stop()
  }

  #dropExpired(): void {
    const now = this.#host.now()
    if (now < this.#nextExpiry) return
    this.#nextExpiry = nextExpiry(this.#documents, now)
    this.#computed.clear()
    this.#onChange()
  }

  #replace(documents: RelayDocuments): void {
    this.#documents = documents
    this.#keys = relayKeys(documents.configs)
    this.#nextExpiry = nextExpiry(documents, this.#host.now())
    this.#computed.clear()
    this.#onChange()
  }
}

function documentsIn(lists: readonly (readonly ListedDocument[])[]): RelayDocuments {
  const [configs = [], projectItems = [], environmentItems = [], roleItems = [], keyItems = []] = lists
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
