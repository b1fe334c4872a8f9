import type { Wire } from '../../operation/context.ts'
import { path } from '../../operation/link.ts'
import type { Sample } from '../../storage/port.ts'
import { presentEntry, readEntryId } from '../change-log/change-log-wire.ts'
import type { Webhook } from './webhook.ts'

/** The body of a message: the entry of the change log as callers are shown it (D32). */
export function changeMessage(wire: Wire, entry: Sample): string {
  return JSON.stringify(presentEntry({ wire }, entry))
}

/**
 * The body of a test: an entry of the kind `ping`, about the webhook itself, which stands in no change log.
 *
 * @param delivery its id, which names its time.
 */
export function pingMessage(wire: Wire, { id, name }: Pick<Webhook, 'id' | 'name'>, delivery: string): string {
  const resource = `webhook/${id}`
  const self = { href: path`/api/v2/webhooks/${id}/deliveries/${delivery}`, type: 'application/json' }
  const entry: ReturnType<typeof presentEntry> = {
    _links: { self },
    _id: delivery,
    date: wire.time(readEntryId(delivery)?.at ?? 0),
    kind: 'ping',
    name,
    titleVerb: 'tested the webhook',
    description: 'testWebhook',
    accesses: [],
    target: { name, resources: [resource] },
    delta: [],
  }
  return JSON.stringify(entry)
}
