import type { EnvironmentKeys } from '../../models/environments/environment-keys.ts'
import type { Host } from '../../operation/context.ts'
import type { EvaluationContext } from '../../rules/evaluation/index.ts'
import type { SummarizedEvaluation } from '../../rules/sdk-protocol/sdk-events.ts'
import type { AccountStorage, StorageWatch } from '../../storage/port.ts'
import { StorageReader } from '../../storage/reader.ts'
import { isServed } from './evaluated-content.ts'
import { evaluationCounts } from './evaluation-counts.ts'
import { createEvaluator, type Evaluator, type EvaluatorHandle } from './evaluator.ts'
import { type EventSink, experimentExposures, type TrackedInput } from './experiment-exposures.ts'
import type { ServedContent } from './served-content.ts'
import { snapshots } from './snapshots.ts'

/** The evaluators of an engine, created at the first use of each environment. */
export interface Evaluators {
  of(keys: EnvironmentKeys): Evaluator
  /** Returns the evaluator of an environment with its parts, for code that streams its content. */
  handleOf(keys: EnvironmentKeys): EvaluatorHandle
  /** Writes a snapshot of an environment: `engine.snapshot`. */
  readonly snapshot: ReturnType<typeof snapshots>
  /** Resolves when all evaluators include every earlier commit. Undefined when they already do. Never rejects. */
  settled(): Promise<void> | undefined
  /**
   * Returns the contexts that were evaluated last in an environment, newest first; at most 1,000. Empty when no flag of
   * the environment was evaluated.
   */
  recentContexts(keys: EnvironmentKeys): readonly EvaluationContext[]
  /** Returns the counts since the last call. Counts of an environment that is not read yet are returned later. */
  takeCounts(): EnvironmentCounts[]
  /** Sets the receiver of exposures and tracked events. Without one, exposures are not recorded. */
  sendEvents(sink: EventSink): void
  /** Drops all cached content. */
  clear(): void
  stop(): Promise<void>
}

/** The counts of an environment. */
export interface EnvironmentCounts {
  readonly keys: EnvironmentKeys
  /** Contains at least one evaluation. */
  readonly evaluations: readonly SummarizedEvaluation[]
}

/** Options of evaluators. */
export interface EvaluatorOptions {
  /** True when evaluations are counted. */
  readonly countEvaluations: boolean
  /** Reads the documents that are served as flags. Default: there are none. */
  readonly served?: ServedContent | undefined
}

function failWithoutSink(): never {
  throw new Error('track: this engine was made without sdkEndpoints')
}

/** Makes the evaluators of an account. The first one starts to watch the storage. */
export function evaluators(
  storage: AccountStorage,
  host: Host,
  { countEvaluations, served }: EvaluatorOptions,
): Evaluators {
  /**
   * Evaluators by project and environment. The maps are nested, because every `engine.evaluate` reads them and must not
   * concatenate keys.
   */
  const handles = new Map<string, Map<string, EvaluatorHandle>>()
  const allHandles = () => [...handles.values()].flatMap((handlesOfProject) => [...handlesOfProject.values()])
  const tx = new StorageReader(storage)
  let watcher: StorageWatch | undefined
  let stopped = false
  let sink: EventSink | undefined

  function watch(): void {
    if (stopped || watcher) return
    watcher = storage.watch?.((touched) => {
      for (const { cached } of allHandles()) cached.invalidate(touched)
    })
  }

  function createHandle({ projectKey, environmentKey }: EnvironmentKeys): EvaluatorHandle {
    watch()
    const counts = countEvaluations ? evaluationCounts() : undefined
    const live = () => watcher?.live() ?? false
    const keys = { projectKey, environmentKey }
    const events = {
      exposures: experimentExposures((exposure) => sink?.expose(keys, exposure), host.now),
      track: (event: TrackedInput) => (sink ?? failWithoutSink()).track(keys, event),
    }
    const handle = createEvaluator(tx, host, live, { keys, parts: { ...events, counts, served } })
    const handlesOfProject = handles.get(projectKey) ?? new Map<string, EvaluatorHandle>()
    handles.set(projectKey, handlesOfProject.set(environmentKey, handle))
    return handle
  }

  const handleAt = (keys: EnvironmentKeys) => {
    const handle = handles.get(keys.projectKey)?.get(keys.environmentKey)
    // An environment that was created with the key of a deleted one has an evaluator of its own.
    return handle && !handle.cached.isGone() ? handle : createHandle(keys)
  }

  return {
    of: (keys) => handleAt(keys).evaluator,
    handleOf: handleAt,
    snapshot: snapshots(handleAt, host),
    settled() {
      if (handles.size === 0) return undefined
      const pendingReads = allHandles().flatMap(({ cached }) => cached.pendingRead ?? [])
      return pendingReads.length === 0 ? undefined : Promise.allSettled(pendingReads).then(() => {})
    },
    recentContexts: ({ projectKey, environmentKey }) =>
      handles.get(projectKey)?.get(environmentKey)?.recent.list() ?? [],
    takeCounts() {
      return [...handles].flatMap(([projectKey, handlesOfProject]) =>
        [...handlesOfProject].flatMap(([environmentKey, { cached, counts }]) => {
          const content = counts && cached.content()
          const taken = content ? counts.take(content.ruleset, host.now()) : []
          // Only evaluations of flags are counted. Otherwise a new flag could get the counts of an AI config that had
          // its key.
          const evaluations = taken.filter(({ flagKey }) => content && !isServed(content, flagKey))
          return evaluations.length > 0 ? [{ keys: { projectKey, environmentKey }, evaluations }] : []
        }),
      )
    },
    sendEvents(receiver) {
      sink = receiver
    },
    clear() {
      for (const { cached, changes } of allHandles()) {
        cached.clear()
        changes.onCleared()
      }
    },
    async stop() {
      stopped = true
      await watcher?.stop()
      watcher = undefined
    },
  }
}
