import * as v from 'valibot'
import { type Webhook, webhooks } from '../../models/webhooks/webhook.ts'
import type { ReadContext } from '../../operation/context.ts'
import type { Fail } from '../../operation/errors.ts'
import { path, selfAndParent } from '../../operation/link.ts'
import { masked } from '../../operation/masked.ts'
import { accessDetails, httpUrl, links, list, tags } from '../../operation/schema.ts'
import { formatUrlError, webhookFormats } from '../../rules/webhook-format/format-message.ts'
import { patchedPolicy, policyResponse } from '../roles/policy-schema.ts'

const secretPattern = /^[!-~]{16,256}$/
const secretRule = 'must be 16 to 256 printable ASCII characters without spaces'

/** A secret of the caller: characters that every receiver accepts without quoting. */
export const webhookSecret = v.pipe(v.string(), v.regex(secretPattern, secretRule))

/** Properties of a webhook that a caller may set by a patch. */
export const webhookSettings = v.object({
  name: v.pipe(v.string(), v.maxLength(256, 'must have at most 256 characters')),
  url: httpUrl(),
  format: v.optional(v.picklist(webhookFormats, `must be one of: ${webhookFormats.join(', ')}`)),
  on: v.boolean(),
  tags: tags(),
  statements: patchedPolicy,
  secret: v.optional(
    v.pipe(
      v.string(),
      v.check((text) => text === masked || secretPattern.test(text), secretRule),
    ),
  ),
})

const webhookObject = v.object({
  _links: links(),
  _id: v.string(),
  name: v.string(),
  url: v.string(),
  /** Omitted when messages are entries of the change log. */
  format: v.optional(v.picklist(webhookFormats)),
  on: v.boolean(),
  tags: list(v.string()),
  secret: v.optional(v.string()),
  statements: policyResponse,
  _access: v.optional(accessDetails()),
})

/** A webhook in a response. */
export interface WebhookResponse extends v.InferOutput<typeof webhookObject> {}

export const webhookResponse: v.GenericSchema<WebhookResponse> = webhookObject

/** Serializes a webhook. Its secret is included only for callers who may update it. */
export async function serializeWebhook(context: ReadContext, webhook: Webhook): Promise<WebhookResponse> {
  return serializeWithSecret(context, await visibleWebhook(context, webhook))
}

/** Serializes a webhook with its secret. */
export async function serializeWithSecret(context: ReadContext, webhook: Webhook): Promise<WebhookResponse> {
  const { id, name, url, format, on, tags, statements, secret } = webhook
  return {
    _links: selfAndParent(path`/api/v2/webhooks/${id}`, '/api/v2/webhooks'),
    _id: id,
    name,
    url,
    ...(format === undefined ? {} : { format }),
    on,
    tags,
    ...(secret === undefined ? {} : { secret }),
    statements,
    _access: await context.access(webhooks, { id }, webhook),
  }
}

/** Returns the webhook as the caller may view it: with a masked secret, unless they have `updateSecret`. */
export async function visibleWebhook(context: Pick<ReadContext, 'allowed'>, webhook: Webhook): Promise<Webhook> {
  if (webhook.secret === undefined) return webhook
  const maySeeSecret = await context.allowed('updateSecret', webhooks, { id: webhook.id }, webhook)
  return maySeeSecret ? webhook : { ...webhook, secret: masked }
}

/** Fails when the URL of a webhook lacks what its format needs. */
export function requireUrlOfFormat(
  { url, format }: Pick<Webhook, 'url' | 'format'>,
  fail: Fail<'invalid_request'>,
): void {
  const reason = formatUrlError(format, url)
  if (reason !== undefined) fail('invalid_request', { errors: [{ attribute: 'url', reason }] })
}
