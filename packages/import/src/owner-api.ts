import type { Api, Engine } from '@halyard/core'

/**
 * Returns an engine's operations as its owner calls them, with all rights: a process that can open the storage needs no
 * token.
 *
 * @example
 * ```ts
 * import { ownerApi } from '@halyard/import'
 * import { createTestEngine } from '@halyard/testing'
 *
 * const engine = await createTestEngine()
 * const project = await ownerApi(engine).createProject({ body: { key: 'web', name: 'Web shop' } })
 * console.log(project.name) // Web shop
 * ```
 */
export function ownerApi(engine: Engine): Api {
  type Call = (input?: unknown, options?: object) => Promise<unknown>
  const as = { role: 'owner' } as const
  // Cast: `Object.entries` needs an index signature, and every operation has a type of its own.
  const calls = Object.entries<Call>(engine.api as never).map(([id, call]) => [
    id,
    (input?: unknown, options?: object) => call(input, { ...options, as }),
  ])
  return Object.fromEntries(calls) as Api
}
