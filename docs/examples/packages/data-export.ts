import { createMemoryStorage } from '@halyard/storage-memory'

const storage = createMemoryStorage()

// #region export
import { createEngine } from '@halyard/core'
import { dataExporters } from '@halyard/data-export'
import { createWebhookSender } from '@halyard/webhook-sender'

const send = createWebhookSender()
const engine = createEngine({ storage, exporters: dataExporters({ http: { send } }), webhooks: { send } })
setInterval(() => engine.runDueTasks(), 1_000)
// #endregion
console.log(await engine.runDueTasks())
send.close()
