import type { Api, Engine } from '@halyard/core'

/** An engine's operations as its owner calls them: whoever can open the storage has nobody else to ask. */
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
