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
  const trails: Trails = new Map()
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
      for (const dependency of trails.keys()) if (concerns(touched, dependency)) spoil(trails, dependency)
    } else for (const dependency of concernedBy(touched)) spoil(trails, dependency)
  }

  function forget(): void {
    for (const dependency of trails.keys()) spoil(trails, dependency)
  }

  function live(): boolean {
    if (stopped || !storage.watch) return false
    watching ??= storage.watch(told)
    return watching.live()
  }

  return {
    live,
    begin: (own = 0) => (live() ? new OpenTrail(trails, own) : undefined),
    forget,
    async stop() {
      stopped = true
      forget()
      await watching?.stop()
    },
  }
}

/** The trails that a dependency is on: nearly always one, and then it needs no set. */
type Trails = Map<Dependency, Trail | Set<Trail>>

function spoil(trails: Trails, dependency: Dependency): void {
  const concerned = trails.get(dependency)
  if (concerned instanceof Set) for (const trail of concerned) trail.spoil()
  else concerned?.spoil()
}

/** A class, as there is one for each thing that is remembered: functions of its own would weigh more than most of those. */
class OpenTrail implements Trail {
  spoilt = false
  readonly #trails: Trails
  #unspoiling: number
  #ended = false
  /** One dependency is most often all, and then it needs no set. */
  #noted: Dependency | Set<Dependency> | undefined
  #drop: (() => void) | undefined

  constructor(trails: Trails, own: number) {
    this.#trails = trails
    this.#unspoiling = own
  }

  note(dependency: Dependency): void {
    if (this.#ended || this.#noted === dependency) return
    if (this.#noted === undefined) this.#noted = dependency
    else if (typeof this.#noted === 'string') this.#noted = new Set([this.#noted, dependency])
    else if (this.#noted.has(dependency)) return
    else this.#noted.add(dependency)
    const others = this.#trails.get(dependency)
    if (others instanceof Set) others.add(this)
    else this.#trails.set(dependency, others ? new Set<Trail>([others, this]) : this)
  }

  onSpoilt(drop: () => void): void {
    this.#drop = drop
  }

  spoil(): void {
    if (this.#unspoiling-- > 0) return
    this.spoilt = true
    this.end()
    this.#drop?.()
    this.#drop = undefined
  }

  end(): void {
    this.#ended = true
    if (typeof this.#noted === 'string') this.#leave(this.#noted)
    else if (this.#noted) for (const dependency of this.#noted) this.#leave(dependency)
    this.#noted = undefined
  }

  #leave(dependency: Dependency): void {
    const others = this.#trails.get(dependency)
    if (others === this) this.#trails.delete(dependency)
    else if (others instanceof Set && others.delete(this) && others.size === 0) this.#trails.delete(dependency)
  }
}
