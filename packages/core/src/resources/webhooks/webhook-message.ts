import type { Webhook } from '../../models/webhooks/webhook.ts'
import { parseEntryId } from '../../operation/change-log/entry-id.ts'
import type { ReadContext, ResponseFormat } from '../../operation/context.ts'
import { path } from '../../operation/link.ts'
import { shortName } from '../../rules/sentences/sentence.ts'
import type { Sample } from '../../storage/port.ts'
import { serializeEntries } from '../change-log/change-log-response.ts'

/**
 * Makes the body of a message: the entry of the change log as callers receive it
 * (docs/decisions/0004-deliver-one-signed-message-per-change.md#d32-webhooks).
 */
export async function changeMessage(context: Pick<ReadContext, 'tx' | 'format'>, entry: Sample): Promise<string> {
  const [serialized] = await serializeEntries(context, [entry])
  return JSON.stringify(serialized)
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
  const entry: Awaited<ReturnType<typeof serializeEntries>>[number] = {
    _links: { self },
    _id: delivery,
    date: format.time(parseEntryId(delivery)?.at ?? 0),
    kind: 'ping',
    name,
    titleVerb: `tested the webhook ${shortName(name)}`,
    title: `The engine tested the webhook ${shortName(name)}`,
    description: `tested the webhook ${shortName(name)}`,
    accesses: [],
    target: { name, resources: [resource] },
    delta: [],
  }
  return JSON.stringify(entry)
}
