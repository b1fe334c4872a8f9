import { concernedBy, concerns, type Dependency } from './dependencies.ts'
import type { AccountStorage, Touched, Watching } from './port.ts'

/** What was read on the way to something, from the first look on. */
export interface Trail {
  /** Whether any of it was changed since it was asked for. */
  readonly spoilt: boolean
  /** Notes what is about to be asked: before, so that a change that comes while the answer is on its way is not missed. */
  note(dependency: Dependency): void
  /** Says what is to be done when any of it is changed: at once, and only once. */
  onSpoilt(drop: () => void): void
  /** Says that what is made from it holds for now alone. */
  spoil(): void
  /** Stops listening. Safe to call twice. */
  end(): void
}

/** Knows what is changed, by whichever process, and tells those who remember. */
export interface Freshness {
  /** Whether what is remembered may be used now: not where storage cannot tell of changes. */
  live(): boolean
  /**
   * Begins a trail; undefined where nothing may be remembered.
   *
   * @param own how many changes leave it as it is. Whoever writes a document makes one itself, which is told before the
   *   commit resolves; any other spoils the trail, whether it comes sooner or later. Default 0.
   */
  begin(own?: number): Trail | undefined
  /** Spoils all trails. */
  forget(): void
  /** Ends the watching, and with it all remembering. */
  stop(): Promise<void>
}

/** Watches a storage from the first question on. */
export function freshness(storage: Pick<AccountStorage, 'watch'>): Freshness {
  const trails = new Map<Dependency, Set<Trail>>()
  let watching: Watching | undefined
  let stopped = false

  function told(touched: readonly Touched[] | 'anything'): void {
    // Nothing is remembered: a batch of thousands of documents need not be gone through.
    if (trails.size === 0) return
    if (touched === 'anything') forget()
    else for (const one of touched) spoilConcerned(one)
  }

  function spoilConcerned(touched: Touched): void {
    if (touched.what === 'collection' || touched.what === 'scope') {
      // What changes whole scopes is rare: deletions of projects and the like.
      for (const dependency of trails.keys()) if (concerns(touched, dependency)) spoil(dependency)
    } else for (const dependency of concernedBy(touched)) spoil(dependency)
  }

  function spoil(dependency: Dependency): void {
    const concerned = trails.get(dependency)
    if (concerned) for (const trail of concerned) trail.spoil()
  }

  function forget(): void {
    for (const dependency of trails.keys()) spoil(dependency)
  }

  function live(): boolean {
    if (stopped || !storage.watch) return false
    watching ??= storage.watch(told)
    return watching.live()
  }

  return {
    live,
    begin: (own = 0) => (live() ? openTrail(trails, own) : undefined),
    forget,
    async stop() {
      stopped = true
      forget()
      await watching?.stop()
    },
  }
}

function openTrail(trails: Map<Dependency, Set<Trail>>, own: number): Trail {
  const noted = new Set<Dependency>()
  let unspoiling = own
  let spoilt = false
  let ended = false
  let drop: (() => void) | undefined

  function end(): void {
    ended = true
    for (const dependency of noted) {
      const others = trails.get(dependency)
      others?.delete(trail)
      if (others?.size === 0) trails.delete(dependency)
    }
    noted.clear()
  }

  const trail: Trail = {
    get spoilt() {
      return spoilt
    },
    note(dependency) {
      if (ended || noted.has(dependency)) return
      noted.add(dependency)
      const others = trails.get(dependency)
      if (others) others.add(trail)
      else trails.set(dependency, new Set([trail]))
    },
    onSpoilt(given) {
      drop = given
    },
    spoil() {
      if (unspoiling-- > 0) return
      spoilt = true
      end()
      drop?.()
      drop = undefined
    },
    end,
  }
  return trail
}
