import { type SdkKey, type SdkKeyKeys, sdkKeyDocuments } from '../../models/sdk-keys/sdk-key.ts'
import { operation } from '../../operation/operation.ts'
import { undoOf } from '../../operation/undo/undo-rules.ts'
import { countSdkKeyChange } from './count-sdk-key-change.ts'
import { refuseDefaultKey } from './default-sdk-key.ts'

export const deleteSdkKeyByKey = operation({
  id: 'deleteSdkKeyByKey',
  summary: 'Delete an SDK key of an environment; SDKs with it are rejected and their streams end',
  method: 'DELETE',
  path: '/api/v2/projects/{projectKey}/environments/{environmentKey}/sdk-keys/{sdkKeyKey}',
  beta: 'declared',
  success: { status: 204 },
  errors: ['invalid_request', 'not_found', 'optimistic_locking_error'],
  access: { action: 'deleteSdkKey', resource: 'proj/{projectKey}:env/{environmentKey}:sdk-key/{sdkKeyKey}' },
  undo: [
    undoOf(sdkKeyDocuments, {
      async remove(context, keys: SdkKeyKeys, current: SdkKey) {
        await context.demand('deleteSdkKey', sdkKeyDocuments, keys, current)
        await countSdkKeyChange(context.tx, keys)
        context.tx.remove(sdkKeyDocuments, keys, current)
      },
      removesConsequences: true,
    }),
  ],
  async handle(context, { params }) {
    const { tx, fail } = context
    refuseDefaultKey(params.sdkKeyKey, 'deleted', fail)
    const sdkKey = (await tx.get(sdkKeyDocuments, params)) ?? fail('not_found')
    context.requireRevision(sdkKey.version)
    await countSdkKeyChange(tx, params)
    tx.remove(sdkKeyDocuments, params, sdkKey)
  },
})
