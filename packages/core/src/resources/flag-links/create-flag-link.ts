import * as v from 'valibot'
import { flags } from '../../models/flags/flag.ts'
import { createOperation } from '../../operation/document-operations/create-operation.ts'
import { key } from '../../operation/schema.ts'
import { flagLinkKeys, flagLinks } from './flag-link.ts'
import { flagLinkResponse, flagLinkSettings, serializeFlagLink } from './flag-link-schema.ts'
import { requireIntegrationMetadata } from './require-integration-metadata.ts'

const { deepLink, title, description, timestamp, metadata } = flagLinkSettings.entries

export const createFlagLink = createOperation(flagLinks, {
  id: 'createFlagLink',
  summary: 'Create a link from a flag to an external page',
  path: '/api/v2/flag-links/projects/{projectKey}/flags/{flagKey}',
  beta: 'tagged',
  access: { action: 'createFlagLink', resource: flagLinks.policyTemplate },
  body: v.strictObject({
    key: v.optional(key()),
    integrationKey: v.optional(key()),
    timestamp: v.optional(timestamp),
    deepLink,
    title,
    description,
    metadata,
  }),
  within: flags,
  withinKeys: ({ projectKey, flagKey }) => ({ projectKey, flagKey }),
  make(context, body, params) {
    const { tx, caller, fail } = context
    const host = context.useHost()
    const now = context.readClock()
    requireIntegrationMetadata(body)
    const { integrationKey } = body
    if (integrationKey !== undefined && !context.options.flagLinkIntegrations.has(integrationKey)) {
      const reason = 'must be the key of an integration of this service whose manifest has flag links'
      fail('invalid_request', { errors: [{ attribute: 'integrationKey', reason }] })
    }
    const id = host.newId()
    // The key of a link without a requested key is its id.
    const linkKey = body.key ?? id
    tx.insert(flagLinkKeys, { ...params, key: linkKey }, { id }, () =>
      fail('invalid_request', {
        errors: [{ attribute: 'key', reason: 'must not be the key of another link of the flag' }],
      }),
    )
    const { memberId } = caller
    const properties = { id, key: linkKey, ...(memberId ? { memberId } : {}), createdAt: now }
    return { ...body, timestamp: body.timestamp ?? now, ...properties }
  },
  keyOf: ({ id }) => id,
  response: flagLinkResponse,
  serialize: serializeFlagLink,
})
