import { createEngineOf } from './engine.ts'
import type { Engine } from './engine-interface.ts'
import { operations } from './generated/listed-operations.ts'
import type { EngineInput } from './operation/engine-options.ts'
import { dueRequestWorker } from './resources/approval-requests/steps/due-request-worker.ts'
import { backUps } from './resources/back-ups/back-ups.ts'
import { evaluators } from './resources/evaluation/evaluators.ts'
import { trimEvaluations } from './resources/flag-evaluations/trim-evaluations.ts'
import { compactLeadTimes } from './resources/lead-time/compact-lead-times.ts'
import { scheduledChangeWorker } from './resources/scheduled-changes/scheduled-change-worker.ts'
import { sdkEndpoints } from './resources/sdk-endpoints/sdk-endpoints.ts'
import { trimWebhookAttempts } from './resources/webhooks/trim-webhook-attempts.ts'
import { webhookWorker } from './resources/webhooks/webhook-worker.ts'
import { simulator } from './simulator.ts'

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
  workers: [scheduledChangeWorker, dueRequestWorker, webhookWorker],
  maintenance: [trimWebhookAttempts, trimEvaluations, compactLeadTimes],
  backUps,
  evaluators,
  simulator,
  sdkEndpoints,
})
