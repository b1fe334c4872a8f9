import { concernedBy, type Dependency } from './dependencies.ts'
import type { AccountStorage, Touched, Watching } from './port.ts'
import type { Trail } from './trail.ts'
import { type TrailIndex, trailIndex } from './trail-index.ts'

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
  const trails = trailIndex()
  let watching: Watching | undefined
  let stopped = false

  function told(touched: readonly Touched[] | 'anything'): void {
    // Nothing is remembered: a batch of thousands of documents need not be gone through.
    if (trails.isEmpty()) return
    if (touched === 'anything') trails.spoilAll()
    else for (const one of touched) spoilConcerned(one)
  }

  function spoilConcerned(touched: Touched): void {
    if (touched.what === 'collection' || touched.what === 'scope') trails.spoilWithin(touched)
    else for (const dependency of concernedBy(touched)) trails.spoil(dependency)
  }

  function live(): boolean {
    if (stopped || !storage.watch) return false
    watching ??= storage.watch(told)
    return watching.live()
  }

  return {
    live,
    begin: (own = 0) => (live() ? new OpenTrail(trails, own) : undefined),
    forget: trails.spoilAll,
    async stop() {
      stopped = true
      trails.spoilAll()
      await watching?.stop()
    },
  }
}

/** A class, as there is one for each thing that is remembered: functions of its own would weigh more than most of those. */
class OpenTrail implements Trail {
  spoilt = false
  readonly #trails: TrailIndex
  #unspoiling: number
  #ended = false
  /** One dependency is most often all, and then it needs no set. */
  #noted: Dependency | Set<Dependency> | undefined
  #drop: (() => void) | undefined

  constructor(trails: TrailIndex, own: number) {
    this.#trails = trails
    this.#unspoiling = own
  }

  note(dependency: Dependency): void {
    if (this.#ended || this.#noted === dependency) return
    if (this.#noted === undefined) this.#noted = dependency
    else if (typeof this.#noted === 'string') this.#noted = new Set([this.#noted, dependency])
    else if (this.#noted.has(dependency)) return
    else this.#noted.add(dependency)
    this.#trails.add(dependency, this)
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
    if (typeof this.#noted === 'string') this.#trails.remove(this.#noted, this)
    else if (this.#noted) for (const dependency of this.#noted) this.#trails.remove(dependency, this)
    this.#noted = undefined
  }
}
