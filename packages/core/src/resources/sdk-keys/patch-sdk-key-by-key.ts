import * as v from 'valibot'
import { type SdkKey, sdkKeyDocuments } from '../../models/sdk-keys/sdk-key.ts'
import { jsonBody } from '../../operation/body.ts'
import { withProperties } from '../../operation/document-operations/update-operation.ts'
import { operation } from '../../operation/operation.ts'
import { integer, moment, name, text } from '../../operation/schema.ts'
import { undoOf } from '../../operation/undo/undo-rules.ts'
import { countSdkKeyChange } from './count-sdk-key-change.ts'
import { refuseDefaultKey } from './default-sdk-key.ts'
import { sdkKeyResponse, serializeSdkKey } from './sdk-key-schema.ts'

export const patchSdkKeyByKey = operation({
  id: 'patchSdkKeyByKey',
  summary: 'Update an SDK key of an environment; `expiry` null lets it never expire',
  method: 'PATCH',
  path: '/api/v2/projects/{projectKey}/environments/{environmentKey}/sdk-keys/{sdkKeyKey}',
  beta: 'declared',
  query: v.object({ version: v.optional(integer(1, Number.MAX_SAFE_INTEGER)) }),
  body: jsonBody(
    v.strictObject({
      name: v.optional(name()),
      description: v.optional(text()),
      expiry: v.optional(v.nullable(moment())),
      comment: v.optional(v.string()),
    }),
  ),
  success: { status: 200, body: sdkKeyResponse },
  errors: ['invalid_request', 'not_found', 'optimistic_locking_error'],
  access: {
    action: 'updateSdkKey',
    resource: 'proj/{projectKey}:env/{environmentKey}:sdk-key/{sdkKeyKey}',
    shows: { action: 'viewProject', resource: 'proj/{projectKey}' },
  },
  undo: [
    undoOf(sdkKeyDocuments, {
      async update(context, { keys, current, wanted }) {
        await countSdkKeyChange(context.tx, keys)
        context.tx.replace(sdkKeyDocuments, keys, current, { ...wanted, updatedAt: context.readClock() })
      },
    }),
  ],
  async handle(context, { params, query: { version }, body }) {
    const { tx, fail } = context
    refuseDefaultKey(params.sdkKeyKey, 'changed', fail)
    const before = (await tx.get(sdkKeyDocuments, params)) ?? fail('not_found')
    context.requireRevision(before.version)
    if (version !== undefined && version !== before.version) fail('optimistic_locking_error')
    const { expiry, ...properties } = body
    const changed = withExpiry(withProperties(before, properties), expiry)
    const after = tx.replace(sdkKeyDocuments, params, before, { ...changed, updatedAt: context.readClock() })
    await countSdkKeyChange(tx, params)
    context.setRevision(after.version)
    return serializeSdkKey(context, after, params)
  },
})

/**
 * Returns an SDK key with another expiry.
 *
 * @param expiry integer ms; null removes the expiry, and undefined leaves it unchanged.
 */
function withExpiry(sdkKey: SdkKey, expiry: number | null | undefined): SdkKey {
  if (expiry === undefined) return sdkKey
  const { expiry: _, ...withoutExpiry } = sdkKey
  return expiry === null ? withoutExpiry : { ...withoutExpiry, expiry }
}
