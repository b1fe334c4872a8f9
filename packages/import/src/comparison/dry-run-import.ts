import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
import type { ImportedProject } from '../imported-project.ts'
import { interruption } from '../interruption.ts'
import { type WriteResult, writeProject } from '../write-project.ts'
import type { Sides } from './differential.ts'

/** The result of an import into an engine in memory. */
export interface DryRunImport {
  readonly written: WriteResult
  readonly now: Sides['now']
  close(): Promise<void>
}

const projectKey = 'rehearsal'

/**
 * Writes an imported project to an engine in memory, so that its flags can be evaluated before anything is written to
 * the destination.
 *
 * @throws Interruption when it is aborted.
 */
export async function dryRunImport(importedProject: ImportedProject, signal: AbortSignal): Promise<DryRunImport> {
  const engine = createEngine({ storage: createMemoryStorage(), clock: () => Date.now() })
  const api = engine.as({ role: 'owner' })
  await api.createProject({ body: { key: projectKey, name: 'Rehearsal' } })
  const written = await writeProject(importedProject, { api, projectKey }, { signal, onProgress: () => {} }).catch(
    (error) => {
      throw signal.aborted ? interruption('nothing was written') : error
    },
  )
  const evaluators = new Map<string, ReturnType<Sides['now']>>()
  for (const { key } of importedProject.environments) {
    const evaluator = engine.evaluator<Record<string, unknown>>({ projectKey, environmentKey: key })
    await evaluator.ready()
    evaluators.set(key, evaluator)
  }
  return {
    written,
    now: (environmentKey) => evaluators.get(environmentKey) as ReturnType<Sides['now']>,
    close: () => engine.close(),
  }
}
