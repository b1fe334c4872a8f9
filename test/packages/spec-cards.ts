import * as core from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
import { specOperations } from '../spec/spec-operations.ts'

/** By which names `@halyard/core` exports the operations of spec.md. */
export function cardNamesOfSpec(): string[] {
  const { operations } = core.createEngine({ storage: createMemoryStorage() })
  return specOperations.map(({ method, path }) => {
    const same = operations.find(
      (one) => one.method === method && one.path.replace(/\{\w+\}/g, '') === path.replace(/\{\w+\}/g, ''),
    )
    if (!same) throw new Error(`no operation at ${method} ${path}`)
    return same.id
  })
}
