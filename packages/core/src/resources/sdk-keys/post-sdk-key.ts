import * as v from 'valibot'
import { environments } from '../../models/environments/environment.ts'
import { newKeyValue, sdkKeyDocuments } from '../../models/sdk-keys/sdk-key.ts'
import { createOperation } from '../../operation/document-operations/create-operation.ts'
import { key, moment, name, text } from '../../operation/schema.ts'
import { countSdkKeyChange } from './count-sdk-key-change.ts'
import { isDefaultKey } from './default-sdk-key.ts'
import { sdkKeyKind, sdkKeyResponse, serializeSdkKey } from './sdk-key-schema.ts'

/** Maximum number of SDK keys that an environment has in addition to the default ones. */
export const maxSdkKeys = 100

export const postSdkKey = createOperation(sdkKeyDocuments, {
  id: 'postSdkKey',
  summary: 'Create an SDK key of an environment, which SDKs can use until it expires or is deleted',
  path: '/api/v2/projects/{projectKey}/environments/{environmentKey}/sdk-keys',
  beta: 'declared',
  access: { action: 'createSdkKey', resource: 'proj/{projectKey}:env/{environmentKey}:sdk-key/{body.key}' },
  within: environments,
  body: v.strictObject({
    key: key(),
    name: name(),
    kind: v.optional(sdkKeyKind(), 'sdk'),
    description: v.optional(text(), ''),
    expiry: v.optional(moment()),
  }),
  async make(context, { expiry, ...body }, params) {
    const { tx, fail, caller } = context
    if (isDefaultKey(body.key)) {
      fail('optimistic_locking_error', { message: `There is an SDK key ${body.key} already` })
    }
    const { total } = await tx.listRows(sdkKeyDocuments, params, { limit: 0 })
    if (total >= maxSdkKeys) {
      fail('invalid_request', {
        message: `An environment has at most ${maxSdkKeys} SDK keys in addition to the default ones`,
      })
    }
    const now = context.readClock()
    return {
      ...body,
      value: newKeyValue(body.kind, context.useHost()),
      ...(expiry === undefined ? {} : { expiry }),
      ...(caller.memberId === undefined ? {} : { createdByMemberId: caller.memberId }),
      createdAt: now,
      updatedAt: now,
    }
  },
  after: ({ tx }, _document, _body, params) => countSdkKeyChange(tx, params),
  undo: { inserted: ({ tx }, keys) => countSdkKeyChange(tx, keys) },
  response: sdkKeyResponse,
  serialize: serializeSdkKey,
})
