import type { Webhook } from '../../models/webhooks/webhook.ts'
import { parseEntryId } from '../../operation/change-log/entry-id.ts'
import type { ReadContext, ResponseFormat } from '../../operation/context.ts'
import { path } from '../../operation/link.ts'
import { shortName } from '../../rules/sentences/sentence.ts'
import { type FormattedMessage, formatMessage } from '../../rules/webhook-format/format-message.ts'
import type { Sample } from '../../storage/port.ts'
import { serializeEntries } from '../change-log/change-log-response.ts'

type Entry = Awaited<ReturnType<typeof serializeEntries>>[number]

type Receiver = Pick<Webhook, 'id' | 'name' | 'url' | 'format'>

/**
 * Makes the message of a delivery: the entry of the change log as callers receive it
 * (docs/decisions/0004-deliver-one-signed-message-per-change.md#d32-webhooks), or in the format of the webhook.
 *
 * @param delivery id of the delivery, which contains its time.
 * @param entry the change; undefined for a test, which is an entry of the kind `ping` that is not in the change log.
 */
export async function deliveryMessage(
  context: Pick<ReadContext, 'tx' | 'format'>,
  webhook: Receiver,
  delivery: string,
  entry: Sample | undefined,
): Promise<FormattedMessage> {
  const [serialized] = entry ? await serializeEntries(context, [entry]) : []
  return messageOf(webhook, delivery, serialized ?? pingEntry(context.format, webhook, delivery))
}

function messageOf({ url, format }: Receiver, delivery: string, entry: Entry): FormattedMessage {
  if (format === undefined) return { url, body: JSON.stringify(entry) }
  const { title, comment, kind, target } = entry
  return formatMessage(format, url, { title, comment, kind, resources: target.resources, at: timeOf(delivery) })
}

function pingEntry(format: ResponseFormat, { id, name }: Receiver, delivery: string): Entry {
  const resource = `webhook/${id}`
  const self = { href: path`/api/v2/webhooks/${id}/deliveries/${delivery}`, type: 'application/json' }
  return {
    _links: { self },
    _id: delivery,
    date: format.time(timeOf(delivery)),
    kind: 'ping',
    name,
    titleVerb: `tested the webhook ${shortName(name)}`,
    title: `The engine tested the webhook ${shortName(name)}`,
    description: `tested the webhook ${shortName(name)}`,
    accesses: [],
    target: { name, resources: [resource] },
    delta: [],
  }
}

function timeOf(delivery: string): number {
  return parseEntryId(delivery)?.at ?? 0
}
