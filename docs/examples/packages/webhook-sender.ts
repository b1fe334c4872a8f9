import { createMemoryStorage } from '@halyard/storage-memory'

const storage = createMemoryStorage()

// #region sender
import { createEngine } from '@halyard/core'
import { createWebhookSender } from '@halyard/webhook-sender'

const engine = createEngine({ storage, webhooks: { send: createWebhookSender() } })
setInterval(() => engine.runDueTasks(), 1_000)
// #endregion
console.log(await engine.runDueTasks())
