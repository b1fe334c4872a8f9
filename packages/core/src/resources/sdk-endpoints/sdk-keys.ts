import type { Host } from '../../operation/context.ts'
import { parseAddress } from '../../rules/address.ts'
import type { AccountStorage, Touched, Watching } from '../../storage/port.ts'
import { type Environment, environments } from '../environments/environment.ts'
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
  let index: ReadonlyMap<string, EnvironmentKeys> = new Map()
  let outdated = true
  let stopped = false
  let reading: Promise<void> | undefined
  let watching: Watching | undefined

  function told(touched: readonly Touched[] | 'anything'): void {
    if (touched !== 'anything' && !touched.some(isAboutEnvironments)) return
    outdated = true
    check()
  }

  async function catchUp(): Promise<void> {
    if (!stopped) watching ??= storage.watch?.(told)
    if (!watching?.live()) outdated = true
    // Also what is read already is waited for: until then the keys are those of before.
    while (outdated || reading) await (reading ??= readOnce())
  }

  function check(): void {
    if (!outdated || !needed()) return
    catchUp().catch((error) => host.log({ level: 'error', event: 'sdk-keys-not-read', error }))
  }

  /** What is told meanwhile makes another turn. */
  async function readOnce(): Promise<void> {
    outdated = false
    try {
      index = await readKeys(storage, host)
      changed()
    } catch (error) {
      outdated = true
      throw error
    } finally {
      reading = undefined
    }
  }

  return {
    async find(kind, key) {
      const [name] = await Promise.all([nameOf(host, kind, key), catchUp()])
      const place = index.get(name)
      return place && { name, place }
    },
    holds({ name, place }) {
      const now = index.get(name)
      return now?.projectKey === place.projectKey && now.environmentKey === place.environmentKey
    },
    check,
    forget() {
      outdated = true
      check()
    },
    async stop() {
      stopped = true
      await watching?.stop()
      watching = undefined
    },
  }
}

async function readKeys(storage: AccountStorage, host: Host): Promise<Map<string, EnvironmentKeys>> {
  const { items } = await storage.list({
    collection: environments.name,
    scope: '',
    deep: true,
    limit: 2 ** 31 - 1,
    select: 'bodies',
  })
  const entries = items.flatMap(({ scope, body }) => {
    const { key, id, apiKey, mobileKey } = body as Environment
    const place = { projectKey: parseAddress(scope)?.[0]?.key as string, environmentKey: key }
    const keys = { server: apiKey, mobile: mobileKey, environmentId: id } as const
    return Object.entries(keys).map(
      async ([kind, value]) => [await nameOf(host, kind as KeyKind, value), place] as const,
    )
  })
  return new Map(await Promise.all(entries))
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
