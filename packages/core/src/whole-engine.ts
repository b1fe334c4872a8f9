import { createEngineOf } from './engine.ts'
import type { Engine } from './engine-interface.ts'
import type { EngineInput } from './operation/engine-options.ts'
import { optimizer } from './optimizer.ts'
import { aiMetricConsumer } from './resources/ai-config-metrics/ai-metric-consumer.ts'
import { trimAIMetrics } from './resources/ai-config-metrics/trim-ai-metrics.ts'
import { aiEvaluation } from './resources/ai-evaluation/ai-evaluation.ts'
import { dueRequestWorker } from './resources/approval-requests/steps/due-request-worker.ts'
import { backUps } from './resources/back-ups/back-ups.ts'
import { exportWorker } from './resources/destinations/export-worker.ts'
import { trimExportAttempts } from './resources/destinations/trim-export-attempts.ts'
import { evaluators } from './resources/evaluation/evaluators.ts'
import { trimEvaluations } from './resources/flag-evaluations/trim-evaluations.ts'
import { operations } from './resources/generated/all-operations.ts'
import { compactLeadTimes } from './resources/lead-time/compact-lead-times.ts'
import { oauthService } from './resources/oauth-grants/oauth-service.ts'
import { trimOAuthTokens } from './resources/oauth-grants/trim-oauth-tokens.ts'
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
  workers: [scheduledChangeWorker, dueRequestWorker, webhookWorker, exportWorker],
  maintenance: [
    trimWebhookAttempts,
    trimExportAttempts,
    trimEvaluations,
    trimAIMetrics,
    compactLeadTimes,
    trimOAuthTokens,
  ],
  backUps,
  evaluators,
  aiEvaluation,
  simulator,
  sdkEndpoints,
  oauth: oauthService,
  optimizer,
  eventConsumers: [aiMetricConsumer],
})
