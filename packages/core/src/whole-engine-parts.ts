// What `createEngine` imports when it is first used.
export { dueRequestWorker } from './resources/approval-requests/steps/due-request-worker.ts'
export { backUps } from './resources/back-ups/back-ups.ts'
export { trimEvaluations } from './resources/flag-evaluations/trim-evaluations.ts'
export { compactLeadTimes } from './resources/lead-time/compact-lead-times.ts'
export { scheduledChangeWorker } from './resources/scheduled-changes/scheduled-change-worker.ts'
export { trimWebhookAttempts } from './resources/webhooks/trim-webhook-attempts.ts'
export { webhookWorker } from './resources/webhooks/webhook-worker.ts'
export { simulator } from './simulator.ts'
