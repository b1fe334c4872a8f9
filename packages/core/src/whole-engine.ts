import { branchedEngine } from './engine/branches/branched-engine.ts'
import type { Optimizer } from './engine/optimizer.ts'
import type { Simulator } from './engine/simulator.ts'
import { createEngineOf } from './engine.ts'
import type { Engine } from './engine-interface.ts'
import { operations } from './generated/listed-operations.ts'
import type { EngineInput } from './operation/engine-options.ts'
import type { Maintenance } from './operation/tasks/maintenance.ts'
import type { TaskWorkerFactory } from './operation/tasks/task-worker.ts'
import { aiEvaluation } from './resources/ai-evaluation/ai-evaluation.ts'
import type { BackUps } from './resources/back-ups/back-ups.ts'
import { followChanges } from './resources/change-log/follow-changes.ts'
import { evaluators } from './resources/evaluation/evaluators.ts'
import type { OAuthParts } from './resources/oauth-grants/oauth-parts.ts'
import type { OAuthService } from './resources/oauth-grants/oauth-service.ts'
import { pastStoragesOf } from './resources/past/past-storages.ts'
import { sdkEndpointsOnDemand } from './resources/sdk-endpoints/sdk-endpoints-on-demand.ts'

// Imports the parts; each call imports only when it needs one of them.
const parts = () => import('./engine/whole-engine-parts.ts')

const workers: readonly TaskWorkerFactory[] = [
  async (tools) => (await parts()).scheduledChangeWorker(tools),
  async (tools) => (await parts()).dueRequestWorker(tools),
  async (tools) => (await parts()).workflowWorker(tools),
  async (tools) => (await parts()).automatedReleaseWorker(tools),
  async (tools) => (await parts()).webhookWorker(tools),
  async (tools) => (await parts()).exportWorker(tools),
]

const maintenance: readonly Maintenance[] = [
  async (storage, host) => (await parts()).trimWebhookAttempts(storage, host),
  async (storage, host) => (await parts()).trimExportAttempts(storage, host),
  async (storage, host) => (await parts()).trimEvaluations(storage, host),
  async (storage, host) => (await parts()).trimAIMetrics(storage, host),
  async (storage, host) => (await parts()).trimMeasurements(storage, host),
  async (storage, host) => (await parts()).trimContexts(storage, host),
  async (storage, host, options) => (await parts()).compactLeadTimes(storage, host, options),
  async (...input) => (await parts()).trimOAuthTokens(...input),
]

const backUps: BackUps = {
  async *export(...input) {
    yield* (await parts()).backUps.export(...input)
  },
  import: async (...input) => (await parts()).backUps.import(...input),
}

const optimizer: Optimizer = async (...input) => (await parts()).optimizer(...input)

const pastStorages = pastStoragesOf(async () => (await parts()).pastReadsAt)

const sdkEndpoints = sdkEndpointsOnDemand(() => import('./engine/sdk-parts.ts'))

function oauth(oauthParts: OAuthParts): OAuthService {
  const service = async () => (await parts()).oauthService(oauthParts)
  return {
    findClient: async (...input) => (await service()).findClient(...input),
    issueTokens: async (...input) => (await service()).issueTokens(...input),
    revokeToken: async (...input) => (await service()).revokeToken(...input),
    introspect: async (...input) => (await service()).introspect(...input),
  }
}

const responseProfile = async () =>
  (await import('./resources/reference-profile/reference-profile.ts')).referenceProfile

const unserved = async () => (await import('./resources/unserved-operations.ts')).unservedOperations

const simulator: Simulator = async (...input) => (await parts()).simulator(...input)

/**
 * Makes an engine with every operation over a storage. It reads and writes nothing and starts no timer before its first
 * call.
 *
 * @param input options; only `storage` is required.
 * @throws RangeError naming the option that is invalid.
 *
 * @example
 * ```ts
 * import { createEngine } from '@halyard/core'
 * import { createMemoryStorage } from '@halyard/storage-memory'
 *
 * const engine = createEngine({ storage: createMemoryStorage() })
 * await engine.migrate()
 * const account = await engine.bootstrap()
 * const as = account?.token ?? ''
 * const project = await engine.api.createProject({ body: { key: 'web', name: 'Web shop' } }, { as })
 * console.log(project.key) // web
 * await engine.close()
 * ```
 */
export const createEngine: (input: EngineInput) => Engine = /* @__PURE__ */ createEngineOf({
  operations,
  workers,
  maintenance,
  backUps,
  evaluators,
  aiEvaluation,
  simulator,
  sdkEndpoints,
  oauth,
  optimizer,
  followChanges,
  pastStorages,
  branches: branchedEngine,
  responseProfile,
  unserved,
})
