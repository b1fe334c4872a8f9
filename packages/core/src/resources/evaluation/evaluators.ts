import type { Host } from '../../operation/context.ts'
import type { SummarisedEvaluation } from '../../rules/sdk-protocol/summarised-evaluations.ts'
import type { AccountStorage, Watching } from '../../storage/port.ts'
import { StorageReader } from '../../storage/reader.ts'
import type { EnvironmentKeys } from './environment-content.ts'
import { evaluationCounts } from './evaluation-counts.ts'
import { type Evaluator, type OpenEvaluator, openEvaluator } from './evaluator.ts'

/** The evaluators of an engine, one for each environment that was asked for. */
export interface Evaluators {
  of(keys: EnvironmentKeys): Evaluator
  /** The same with what it holds, for whoever sends that on. */
  opened(keys: EnvironmentKeys): OpenEvaluator
  /** Resolves when all evaluate by what was committed before; undefined where they do. Never rejects. */
  settled(): Promise<void> | undefined
  /** What they have counted since this was asked the last time; of an environment that has still to be read it waits. */
  takeCounts(): CountedEnvironment[]
  /** Drops what they hold. */
  forget(): void
  stop(): Promise<void>
}

/** What was counted in an environment. */
export interface CountedEnvironment {
  readonly place: EnvironmentKeys
  /** At least one. */
  readonly evaluations: readonly SummarisedEvaluation[]
}

/** How evaluators are made. */
export interface EvaluatorOptions {
  /** Whether evaluations are counted. */
  readonly countEvaluations: boolean
}

/** Watches the storage from the first evaluator on. */
export function evaluators(storage: AccountStorage, host: Host, { countEvaluations }: EvaluatorOptions): Evaluators {
  /** By project and environment; looked up at each `engine.evaluate`, so without making a key of both. */
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
