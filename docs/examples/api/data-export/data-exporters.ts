import { createEngine } from '@halyard/core'
import { dataExporters } from '@halyard/data-export'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createWebhookSender } from '@halyard/webhook-sender'

const send = createWebhookSender()
const exporters = dataExporters({ http: { send } })
const engine = createEngine({ storage: createMemoryStorage(), exporters })
console.log(exporters.map(({ kind }) => kind).join(' ')) // azure-event-hubs mparticle segment http-ndjson
send.close()
await engine.close()
