import type { EnvironmentKeys } from '../../models/environments/environment-keys.ts'
import type { Host } from '../../operation/context.ts'
import { fail } from '../../operation/errors.ts'
import { bigSegmentName } from '../../rules/evaluation/index.ts'
import type { TouchedRecords } from '../../storage/port.ts'
import type { Reader } from '../../storage/reader.ts'
import { readContent, readFlags, readSegments } from './environment-content.ts'
import {
  changedContent,
  changedServedKeys,
  compileInTurns,
  contentAfterExpiry,
  type EvaluatedContent,
  evaluatedContent,
} from './evaluated-content.ts'
import { outdatedPartFinder } from './outdated-content.ts'
import { onlyFlags, type ServedContent } from './served-content.ts'

/** The content of an environment in memory, updated when the stored content changes. */
export interface CachedEnvironment {
  /** Returns the content for evaluation; undefined before it was read. */
  content(): EvaluatedContent | undefined
  /** Returns a number that grows when the membership of contexts in big segments may have changed. */
  membershipRevision(): number
  /**
   * Reads the outdated parts, if there are some.
   *
   * @throws ApiError `not_found` when the environment does not exist; any error of the storage.
   */
  catchUp(): Promise<void>
  /** The pending read; undefined when no read is pending. */
  readonly pendingRead: Promise<void> | undefined
  /**
   * Returns true after the environment of this cache was deleted. The result stays true when another environment is
   * created with the same key: a new cache reads the new environment.
   */
  isGone(): boolean
  /** Returns true if the content includes every change that the storage has reported. */
  isCaughtUp(): boolean
  /** Called with committed changes. Reads the affected parts again immediately. */
  invalidate(touched: readonly TouchedRecords[] | 'anything'): void
  /** Drops the content. It is read again at the next use. */
  clear(): void
  /**
   * Adds a listener that is called after each update of the content.
   *
   * @returns a function that removes the listener.
   */
  subscribe(listener: (change: ContentUpdate) => void): () => void
}

/** An update of the content of an environment. */
export interface ContentUpdate {
  /** The new content; undefined when the environment no longer exists. */
  readonly content: EvaluatedContent | undefined
  /** Keys of the only parts that may differ. Omitted when anything may differ. */
  readonly only?: { readonly flags: readonly string[]; readonly segments: readonly string[] }
}

/** Delay after a failed read until an evaluation starts another one, in ms. */
const retryDelayMs = 1_000

/** An environment, and the content that is served for it. */
export interface ServedEnvironment {
  readonly keys: EnvironmentKeys
  /** Reads the documents that are served as flags. Default: there are none. */
  readonly served?: ServedContent
}

/** Makes an empty cache of an environment. */
export function cachedEnvironment(
  tx: Reader,
  host: Host,
  { keys, served = onlyFlags }: ServedEnvironment,
): CachedEnvironment {
  return new EnvironmentCache(tx, host, { keys, served })
}

class EnvironmentCache implements CachedEnvironment {
  readonly #tx: Reader
  readonly #host: Host
  readonly #keys: EnvironmentKeys
  readonly #served: ServedContent
  readonly #findOutdatedPart: ReturnType<typeof outdatedPartFinder>
  readonly #affectsServed: ReturnType<ServedContent['affectedBy']>
  readonly #listeners = new Set<(change: ContentUpdate) => void>()
  #content: EvaluatedContent | undefined
  /** Id of the environment that was read first. */
  #environmentId: string | undefined
  #isGone = false
  #outdated = allOutdated()
  #pendingRead: Promise<void> | undefined
  #epoch = 0
  #isUsed = false
  #membershipRevision = 0
  #nextRetryTime = Number.NEGATIVE_INFINITY

  constructor(tx: Reader, host: Host, { keys, served }: Required<ServedEnvironment>) {
    this.#tx = tx
    this.#host = host
    this.#keys = keys
    this.#served = served
    this.#findOutdatedPart = outdatedPartFinder(keys)
    this.#affectsServed = served.affectedBy(keys)
  }

  content(): EvaluatedContent | undefined {
    if (this.#isGone) return undefined
    if (isOutdated(this.#outdated) && !this.#pendingRead && this.#host.now() >= this.#nextRetryTime)
      this.#catchUpInBackground()
    const content = this.#content
    if (!content || content.nextExpiry === Number.POSITIVE_INFINITY) return content
    const now = this.#host.now()
    if (content.nextExpiry > now) return content
    const later = contentAfterExpiry(content, now)
    this.#content = later
    this.#notify({ content: later })
    return this.#content
  }

  membershipRevision(): number {
    return this.#membershipRevision
  }

  async catchUp(): Promise<void> {
    this.#isUsed = true
    if (isOutdated(this.#outdated) && !this.#isGone) this.#pendingRead ??= this.#readUntilCurrent()
    await this.#pendingRead
    const { projectKey, environmentKey } = this.#keys
    if (this.#isGone) fail('not_found', { message: `the environment ${environmentKey} of ${projectKey} was deleted` })
    if (!this.#content) fail('not_found', { message: `there is no environment ${environmentKey} of ${projectKey}` })
  }

  get pendingRead(): Promise<void> | undefined {
    return this.#pendingRead
  }

  isGone(): boolean {
    return this.#isGone
  }

  isCaughtUp(): boolean {
    return this.#content !== undefined && !this.#pendingRead && !isOutdated(this.#outdated)
  }

  invalidate(touched: readonly TouchedRecords[] | 'anything'): void {
    if (touched === 'anything') {
      this.#membershipRevision++
      this.#outdated = { ...this.#outdated, all: true }
    } else {
      for (const change of touched) this.#markOutdated(change)
    }
    if (this.#isUsed && isOutdated(this.#outdated) && !this.#isGone) this.#catchUpInBackground()
  }

  clear(): void {
    this.#epoch++
    this.#membershipRevision++
    this.#content = undefined
    this.#outdated = allOutdated()
  }

  subscribe(listener: (change: ContentUpdate) => void): () => void {
    // A new function for each call, so that a listener that is added twice is called twice and can be removed once.
    const entry = (change: ContentUpdate) => listener(change)
    this.#listeners.add(entry)
    return () => void this.#listeners.delete(entry)
  }

  #notify(change: ContentUpdate): void {
    for (const listener of [...this.#listeners]) listener(change)
  }

  #markOutdated(touched: TouchedRecords): void {
    if (this.#affectsServed(touched)) this.#outdated = { ...this.#outdated, served: true }
    const part = this.#findOutdatedPart(touched)
    if (part?.part === 'all') this.#outdated = { ...this.#outdated, all: true }
    if (part?.part === 'flag') this.#outdated.flags.add(part.key)
    if (part?.part === 'segment') this.#outdated.segments.add(part.key)
    if (part?.part === 'all' || part?.part === 'memberships') this.#membershipRevision++
  }

  /**
   * Changes that are reported during a read cause another read after it, so that older content never replaces newer
   * content.
   */
  async #readUntilCurrent(): Promise<void> {
    try {
      while (isOutdated(this.#outdated) && !this.#isGone) await this.#readOnce()
    } finally {
      // Set before the waiting callers continue. Otherwise a change that is reported in between would find a pending
      // read, and no process would read it.
      this.#pendingRead = undefined
    }
  }

  async #readOnce(): Promise<void> {
    const parts = this.#outdated
    const epoch = this.#epoch
    this.#outdated = nothingOutdated()
    try {
      const next = await this.#read(parts)
      if (epoch === this.#epoch) this.#replace(next, parts)
    } catch (error) {
      if (epoch === this.#epoch) this.#outdated = union(parts, this.#outdated)
      this.#nextRetryTime = this.#host.now() + retryDelayMs
      throw error
    }
  }

  #replace(next: EvaluatedContent | undefined, { all, flags, segments }: OutdatedParts): void {
    if (this.#environmentId !== undefined && next?.environment.id !== this.#environmentId) {
      this.#isGone = true
      this.#content = undefined
      this.#notify({ content: undefined })
      return
    }
    this.#environmentId = next?.environment.id
    const previous = this.#content
    // When a big segment was added, earlier look-ups of memberships do not include it.
    if (previous && bigSegmentsOf(previous) !== bigSegmentsOf(next)) this.#membershipRevision++
    this.#content = next
    if (all || !previous || !next) {
      this.#notify({ content: next })
      return
    }
    const flagKeys = new Set([...flags, ...changedServedKeys(previous.served, next.served)])
    this.#notify({ content: next, only: { flags: [...flagKeys], segments: [...segments] } })
  }

  async #read({ all, flags, segments, served }: OutdatedParts): Promise<EvaluatedContent | undefined> {
    const previous = this.#content
    const tx = this.#tx
    if (all || !previous) {
      const [content, servedFlags] = await Promise.all([readContent(tx, this.#keys), this.#served.read(tx, this.#keys)])
      if (!content) return undefined
      const evaluated = await evaluatedContent(content, this.#host, this.#host.now(), servedFlags)
      await compileInTurns(evaluated.ruleset, this.#host)
      return evaluated
    }
    const [flagKeys, segmentKeys] = [[...flags], [...segments]]
    const [flagsRead, segmentsRead, servedFlags] = await Promise.all([
      readFlags(tx, this.#keys, flagKeys, previous.environment),
      readSegments(tx, this.#keys, segmentKeys),
      served ? this.#served.read(tx, this.#keys) : previous.served,
    ])
    const change = {
      served: servedFlags,
      flags: new Map(flagKeys.map((key, index) => [key, flagsRead[index]])),
      segments: new Map(segmentKeys.map((key, index) => [key, segmentsRead[index]])),
    }
    return changedContent(previous, change, this.#host.now())
  }

  #catchUpInBackground(): void {
    if (this.#pendingRead) return
    this.catchUp().catch((error) => {
      const message = `${this.#keys.projectKey}/${this.#keys.environmentKey}`
      this.#host.log({ level: 'error', event: 'ruleset_not_read', message, error })
    })
  }
}

function bigSegmentsOf(content: EvaluatedContent | undefined): string {
  return [...(content?.bigSegments.values() ?? [])].map(bigSegmentName).sort().join()
}

/** The parts that must be read again. */
interface OutdatedParts {
  readonly all: boolean
  readonly flags: Set<string>
  readonly segments: Set<string>
  /** The documents that are served as flags. */
  readonly served: boolean
}

function nothingOutdated(): OutdatedParts {
  return { all: false, flags: new Set(), segments: new Set(), served: false }
}

function allOutdated(): OutdatedParts {
  return { ...nothingOutdated(), all: true }
}

function isOutdated({ all, flags, segments, served }: OutdatedParts): boolean {
  return all || served || flags.size > 0 || segments.size > 0
}

function union(a: OutdatedParts, b: OutdatedParts): OutdatedParts {
  return {
    all: a.all || b.all,
    flags: new Set([...a.flags, ...b.flags]),
    segments: new Set([...a.segments, ...b.segments]),
    served: a.served || b.served,
  }
}
