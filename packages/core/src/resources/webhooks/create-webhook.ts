import * as v from 'valibot'
import { webhooks } from '../../models/webhooks/webhook.ts'
import { createOperation } from '../../operation/document-operations/create-operation.ts'
import { policyRequest } from '../roles/policy-schema.ts'
import {
  requireUrlOfFormat,
  serializeWithSecret,
  webhookResponse,
  webhookSecret,
  webhookSettings,
} from './webhook-response.ts'

const { name, url, format, on, tags } = webhookSettings.entries

export const createWebhook = createOperation(webhooks, {
  id: 'createWebhook',
  summary: 'Create a webhook; a signing secret is generated when the caller sends none',
  path: '/api/v2/webhooks',
  access: { action: 'createWebhook', resource: 'webhook/*' },
  body: v.strictObject({
    name: v.optional(name, ''),
    url,
    format,
    on,
    sign: v.boolean(),
    secret: v.optional(webhookSecret),
    tags: v.optional(tags, []),
    statements: v.optional(policyRequest, []),
  }),
  keyOf: ({ id }) => id,
  make(context, { sign, secret, ...body }) {
    const { fail } = context
    const host = context.useHost()
    const now = context.readClock()
    if (!sign && secret !== undefined) {
      const reason = 'must be left out of a webhook that does not sign'
      fail('invalid_request', { errors: [{ attribute: 'secret', reason }] })
    }
    requireUrlOfFormat(body, fail)
    const signing = sign ? { secret: secret ?? host.randomHex(32) } : {}
    return { ...body, ...signing, id: host.newId(), createdAt: now }
  },
  response: webhookResponse,
  // The only response that contains a generated secret for callers who may not view it.
  serialize: serializeWithSecret,
})
