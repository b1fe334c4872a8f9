import core = require('@halyard/core')
import memory = require('@halyard/storage-memory')

const engine: core.Engine = core.createEngine({ storage: memory.createMemoryStorage() })

export async function nameOf(featureFlagKey: string): Promise<string> {
  return (await engine.api.getFlag({ projectKey: 'web', featureFlagKey })).name
}
