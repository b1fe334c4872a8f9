import type { Host } from '../../operation/context.ts'
import type { AccountStorage, Watching } from '../../storage/port.ts'
import { reader } from '../../storage/reader.ts'
import type { EnvironmentKeys } from './environment-content.ts'
import { type Evaluator, type OpenEvaluator, openEvaluator } from './evaluator.ts'

/** The evaluators of an engine, one for each environment that was asked for. */
export interface Evaluators {
  of(keys: EnvironmentKeys): Evaluator
  /** The same with what it holds, for whoever sends that on. */
  opened(keys: EnvironmentKeys): OpenEvaluator
  /** Resolves when all evaluate by what was committed before; undefined where they do. Never rejects. */
  settled(): Promise<void> | undefined
  /** Drops what they hold. */
  forget(): void
  stop(): Promise<void>
}

/** Watches the storage from the first evaluator on. */
export function evaluators(storage: AccountStorage, host: Host): Evaluators {
  /** By project and environment; looked up at each `engine.evaluate`, so without making a key of both. */
  const open = new Map<string, Map<string, OpenEvaluator>>()
  const all = () => [...open.values()].flatMap((ofProject) => [...ofProject.values()])
  const tx = reader(storage)
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
    const made = openEvaluator(tx, host, () => watching?.live() ?? false, { projectKey, environmentKey })
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
