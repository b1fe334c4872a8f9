import core = require('@halyard/core')
import operations = require('@halyard/core/operations')
import memory = require('@halyard/storage-memory')

const engine: core.Engine = core.createEngine({ storage: memory.createMemoryStorage() })

const few = operations.createEngineOf({ operations: [operations.getFlag] })({ storage: memory.createMemoryStorage() })

export async function codeOf(flagKey: string): Promise<string> {
  try {
    return (await few.api.getFlag({ projectKey: 'web', flagKey }, { as: 'token' })).key
  } catch (error) {
    if (!(error instanceof core.ApiError)) throw error
    const refusal: core.ApiError = error
    return refusal.code
  }
}

export async function nameOf(flagKey: string): Promise<string> {
  return (await engine.api.getFlag({ projectKey: 'web', flagKey }, { as: 'token' })).name
}
