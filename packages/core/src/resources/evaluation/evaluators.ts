import type { Host } from '../../operation/context.ts'
import type { SummarisedEvaluation } from '../../rules/sdk-protocol/summarised-evaluations.ts'
import type { AccountStorage, Watching } from '../../storage/port.ts'
import { StorageReader } from '../../storage/reader.ts'
import type { EnvironmentKeys } from './environment-content.ts'
import { evaluationCounts } from './evaluation-counts.ts'
import { type Evaluator, type OpenEvaluator, openEvaluator } from './evaluator.ts'

/** The evaluators of an engine, created at the first use of each environment. */
export interface Evaluators {
  of(keys: EnvironmentKeys): Evaluator
  /** Returns the evaluator of an environment with its parts, for code that streams its content. */
  opened(keys: EnvironmentKeys): OpenEvaluator
  /** Resolves when all evaluators include every earlier commit. Undefined when they already do. Never rejects. */
  settled(): Promise<void> | undefined
  /** Returns the counts since the last call. Counts of an environment that is not read yet are returned later. */
  takeCounts(): CountedEnvironment[]
  /** Drops all cached content. */
  forget(): void
  stop(): Promise<void>
}

/** The counts of an environment. */
export interface CountedEnvironment {
  readonly place: EnvironmentKeys
  /** At least one. */
  readonly evaluations: readonly SummarisedEvaluation[]
}

/** Options of evaluators. */
export interface EvaluatorOptions {
  /** True when evaluations are counted. */
  readonly countEvaluations: boolean
}

/** Makes the evaluators of an account. The first one starts to watch the storage. */
export function evaluators(storage: AccountStorage, host: Host, { countEvaluations }: EvaluatorOptions): Evaluators {
  /**
   * By project and environment. A nested map, because every `engine.evaluate` reads it and must not concatenate keys.
   */
  const open = new Map<string, Map<string, OpenEvaluator>>()
  const all = () => [...open.values()].flatMap((ofProject) => [...ofProject.values()])
  const tx = new StorageReader(storage)
  let watching: Watching | undefined
  let stopped = false

  function watch(): void {
    if (stopped || watching) return
    watching = storage.watch?.((touched) => {
      for (const { held } of all()) held.told(touched)
    })
  }

  function opened({ projectKey, environmentKey }: EnvironmentKeys): OpenEvaluator {
    watch()
    const counts = countEvaluations ? evaluationCounts() : undefined
    const made = openEvaluator(tx, host, () => watching?.live() ?? false, { projectKey, environmentKey }, counts)
    const ofProject = open.get(projectKey) ?? new Map<string, OpenEvaluator>()
    open.set(projectKey, ofProject.set(environmentKey, made))
    return made
  }

  const at = (keys: EnvironmentKeys) => open.get(keys.projectKey)?.get(keys.environmentKey) ?? opened(keys)

  return {
    of: (keys) => at(keys).evaluator,
    opened: at,
    settled() {
      if (open.size === 0) return undefined
      const working = all().flatMap(({ held }) => held.working ?? [])
      return working.length === 0 ? undefined : Promise.allSettled(working).then(() => {})
    },
    takeCounts() {
      return [...open].flatMap(([projectKey, ofProject]) =>
        [...ofProject].flatMap(([environmentKey, { held, counts }]) => {
          const ruleset = counts && held.content()?.ruleset
          const evaluations = ruleset ? counts.take(ruleset, host.now()) : []
          return evaluations.length > 0 ? [{ place: { projectKey, environmentKey }, evaluations }] : []
        }),
      )
    },
    forget() {
      for (const { held, changes } of all()) {
        held.forget()
        changes.dropped()
      }
    },
    async stop() {
      stopped = true
      await watching?.stop()
      watching = undefined
    },
  }
}
