import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createWebhookSender } from '@halyard/webhook-sender'

const send = createWebhookSender()
const engine = createEngine({ storage: createMemoryStorage(), webhooks: { send } })
console.log((await engine.readiness()).ready) // true
send.close()
