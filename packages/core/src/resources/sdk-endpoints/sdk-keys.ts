import { type Environment, environments } from '../../models/environments/environment.ts'
import type { Host } from '../../operation/context.ts'
import { parseAddress } from '../../rules/address.ts'
import type { AccountStorage, Touched, Watching } from '../../storage/port.ts'
import type { EnvironmentKeys } from '../evaluation/environment-content.ts'

/** What an SDK names its environment by: the two secrets, and the id that pages show to everybody. */
export type KeyKind = 'server' | 'mobile' | 'environmentId'

/** A key that counts. */
export interface KnownKey {
  /** Kind and SHA-256 of the key. */
  readonly name: string
  readonly place: EnvironmentKeys
}

/** The keys of all environments of an account. */
export interface SdkKeys {
  /**
   * Finds the environment of a key.
   *
   * @returns undefined for a key that is none, or is none any more.
   * @throws whatever storage throws.
   */
  find(kind: KeyKind, key: string): Promise<KnownKey | undefined>
  /** Whether a key still counts, as far as is known by now. */
  holds(key: KnownKey): boolean
  /** Reads again what is known to be outdated, if somebody relies on it. */
  check(): void
  /** Tells where a key has ended since, by nothing but time. */
  beat(): void
  /** Drops what is remembered. */
  forget(): void
  stop(): Promise<void>
}

/**
 * Remembers nothing at first. The keys of all environments are read with the first question, and again once a change of an
 * environment was told: a key that nobody has costs no look into storage, and one that was replaced counts no longer.
 *
 * @param needed whether somebody relies on keys that were found before.
 * @param changed told when other keys count than before.
 */
export function sdkKeys(storage: AccountStorage, host: Host, needed: () => boolean, changed: () => void): SdkKeys {
  return new SdkKeyIndex(storage, host, needed, changed)
}

class SdkKeyIndex implements SdkKeys {
  readonly #storage: AccountStorage
  readonly #host: Host
  readonly #isNeeded: () => boolean
  readonly #onChange: () => void
  #index: ReadonlyMap<string, FoundKey> = new Map()
  /** When the next of them ends by itself: integer ms, UTC; infinity where none does. */
  #nextEnd = Number.POSITIVE_INFINITY
  #isOutdated = true
  #isStopped = false
  #reading: Promise<void> | undefined
  #watching: Watching | undefined

  constructor(storage: AccountStorage, host: Host, isNeeded: () => boolean, onChange: () => void) {
    this.#storage = storage
    this.#host = host
    this.#isNeeded = isNeeded
    this.#onChange = onChange
  }

  async find(kind: KeyKind, key: string): Promise<KnownKey | undefined> {
    const [name] = await Promise.all([nameOf(this.#host, kind, key), this.#catchUp()])
    const entry = this.#index.get(name)
    return entry && this.#host.now() < entry.until ? { name, place: entry.place } : undefined
  }

  holds({ name, place }: KnownKey): boolean {
    const entry = this.#index.get(name)
    if (!entry || this.#host.now() >= entry.until) return false
    return entry.place.projectKey === place.projectKey && entry.place.environmentKey === place.environmentKey
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

  forget(): void {
    this.#isOutdated = true
    this.check()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#watching?.stop()
    this.#watching = undefined
  }

  #told(touched: readonly Touched[] | 'anything'): void {
    if (touched !== 'anything' && !touched.some(isAboutEnvironments)) return
    this.#isOutdated = true
    this.check()
  }

  async #catchUp(): Promise<void> {
    if (!this.#isStopped) this.#watching ??= this.#storage.watch?.((touched) => this.#told(touched))
    if (!this.#watching?.live()) this.#isOutdated = true
    // Also what is read already is waited for: until then the keys are those of before.
    while (this.#isOutdated || this.#reading) await (this.#reading ??= this.#readOnce())
  }

  /** What is told meanwhile makes another turn. */
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

/** Where a key leads, and when it ends by itself: integer ms, UTC; infinity for one that does not. */
interface FoundKey {
  readonly place: EnvironmentKeys
  readonly until: number
}

async function readKeys(storage: AccountStorage, host: Host): Promise<Map<string, FoundKey>> {
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
    const place = { projectKey, environmentKey: environment.key }
    return keysOf(environment).map(
      async ([kind, value, until]) => [await nameOf(host, kind, value), { place, until }] as const,
    )
  })
  return new Map(await Promise.all(entries))
}

function keysOf({ apiKey, retiredApiKey, mobileKey, id }: Environment): (readonly [KeyKind, string, number])[] {
  const ever = Number.POSITIVE_INFINITY
  return [
    ...(retiredApiKey ? [['server', retiredApiKey.value, retiredApiKey.until] as const] : []),
    ['server', apiKey, ever],
    ['mobile', mobileKey, ever],
    ['environmentId', id, ever],
  ]
}

function endAfter(index: ReadonlyMap<string, FoundKey>, now: number): number {
  let next = Number.POSITIVE_INFINITY
  for (const { until } of index.values()) if (until > now) next = Math.min(next, until)
  return next
}

/** Looked up by a hash, so that the time that it takes tells nothing of the keys that there are. */
async function nameOf(host: Host, kind: KeyKind, key: string): Promise<string> {
  return `${kind}:${await host.sha256(key)}`
}

function isAboutEnvironments(touched: Touched): boolean {
  switch (touched.what) {
    case 'document':
      return touched.id.collection === environments.name
    case 'collection':
      return touched.collection === environments.name
    case 'scope':
      // What lies deeper than a project, e.g. below a flag, has no environments.
      return !touched.scope.includes(':')
    default:
      return false
  }
}
