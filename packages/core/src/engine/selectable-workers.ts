import { dueRequestWorker as dueRequests } from '../resources/approval-requests/steps/due-request-worker.ts'
import { automatedReleaseWorker as automatedReleases } from '../resources/automated-releases/automated-release-worker.ts'
import { scheduledChangeWorker as scheduledChanges } from '../resources/scheduled-changes/scheduled-change-worker.ts'
import { webhookWorker as webhookDeliveries } from '../resources/webhooks/webhook-worker.ts'
import { workflowWorker as workflows } from '../resources/workflows/workflow-worker.ts'
import { writingWorker } from './writing.ts'

/** The worker of automated releases of flags. */
export const automatedReleaseWorker = /* @__PURE__ */ writingWorker(automatedReleases)
/** The worker of approval requests whose time has come. */
export const dueRequestWorker = /* @__PURE__ */ writingWorker(dueRequests)
/** The worker of scheduled changes of flags. */
export const scheduledChangeWorker = /* @__PURE__ */ writingWorker(scheduledChanges)
/** The worker that sends messages to webhooks. */
export const webhookWorker = /* @__PURE__ */ writingWorker(webhookDeliveries)
/** The worker of workflows of flags. */
export const workflowWorker = /* @__PURE__ */ writingWorker(workflows)
