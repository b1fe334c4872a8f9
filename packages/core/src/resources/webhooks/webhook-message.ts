import { type Member, memberName } from '../../models/members/member.ts'
import type { Webhook } from '../../models/webhooks/webhook.ts'
import type { ChangeLogEntry } from '../../operation/change-log/change-log-entry.ts'
import { parseEntryId } from '../../operation/change-log/entry-id.ts'
import type { ReadContext, ResponseFormat } from '../../operation/context.ts'
import { path } from '../../operation/link.ts'
import { shortName } from '../../rules/sentences/sentence.ts'
import { type FormattedMessage, formatMessage } from '../../rules/webhook-format/format-message.ts'
import type { Sample } from '../../storage/port.ts'
import { serializeEntries } from '../change-log/change-log-response.ts'
import { serializeMemberSummary } from '../members/member-schema.ts'
import { followersOfEntry } from './entry-followers.ts'

type Entry = Awaited<ReturnType<typeof serializeEntries>>[number]

type Receiver = Pick<Webhook, 'id' | 'name' | 'url' | 'format' | 'statements'>

/** The id of a delivery, and the entry that it contains. */
export interface EntryDelivery {
  /** Id of the delivery, which contains its time. */
  readonly delivery: string
  /** The change; undefined for a test, which is an entry of the kind `ping` that is not in the change log. */
  readonly entry: Sample | undefined
}

/**
 * Makes the message of a delivery: the entry of the change log as callers receive it
 * (docs/decisions/0004-deliver-one-signed-message-per-change.md#d32-webhooks), or in the format of the webhook. It
 * names the followers of the flags that the entry changes
 * (docs/decisions/0144-name-the-followers-of-a-flag-in-messages.md).
 */
export async function deliveryMessage(
  context: Pick<ReadContext, 'tx' | 'format' | 'selects'>,
  webhook: Receiver,
  { delivery, entry }: EntryDelivery,
): Promise<FormattedMessage> {
  if (!entry)
    return messageOf(webhook, { delivery, entry: pingEntry(context.format, webhook, delivery), followers: [] })
  const [[serialized], followers] = await Promise.all([
    serializeEntries(context, [entry]),
    followersOfEntry(context, webhook, entry.body as ChangeLogEntry),
  ])
  return messageOf(webhook, { delivery, entry: serialized as Entry, followers })
}

/** The contents of a message. */
interface MessageContents {
  readonly delivery: string
  readonly entry: Entry
  readonly followers: readonly Member[]
}

function messageOf({ url, format }: Receiver, { delivery, entry, followers }: MessageContents): FormattedMessage {
  if (format === undefined) {
    const followersProperty = followers.length > 0 ? { followers: followers.map(serializeFollower) } : {}
    return { url, body: JSON.stringify({ ...entry, ...followersProperty }) }
  }
  const { title, comment, kind, target } = entry
  const names = followers.map(memberName)
  const at = timeOf(delivery)
  return formatMessage(format, url, { title, comment, followers: names, kind, resources: target.resources, at })
}

/** Serializes a follower with the same properties as the author of an entry: a summary without the role. */
function serializeFollower(member: Member) {
  const { role: _, ...follower } = serializeMemberSummary(member)
  return follower
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
