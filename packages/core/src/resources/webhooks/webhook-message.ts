import type { Webhook } from '../../models/webhooks/webhook.ts'
import type { ReadContext, ResponseFormat } from '../../operation/context.ts'
import { path } from '../../operation/link.ts'
import type { Sample } from '../../storage/port.ts'
import { presentEntries, readEntryId } from '../change-log/change-log-wire.ts'

/** Makes the body of a message: the entry of the change log as callers receive it (D32). */
export async function changeMessage(context: Pick<ReadContext, 'tx' | 'format'>, entry: Sample): Promise<string> {
  const [shown] = await presentEntries(context, [entry])
  return JSON.stringify(shown)
}

/**
 * Makes the body of a test: an entry of the kind `ping` about the webhook, which is not in the change log.
 *
 * @param delivery id of the delivery, which contains its time.
 */
export function pingMessage(
  format: ResponseFormat,
  { id, name }: Pick<Webhook, 'id' | 'name'>,
  delivery: string,
): string {
  const resource = `webhook/${id}`
  const self = { href: path`/api/v2/webhooks/${id}/deliveries/${delivery}`, type: 'application/json' }
  const entry: Awaited<ReturnType<typeof presentEntries>>[number] = {
    _links: { self },
    _id: delivery,
    date: format.time(readEntryId(delivery)?.at ?? 0),
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
