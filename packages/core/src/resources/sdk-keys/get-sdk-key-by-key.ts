import { environments } from '../../models/environments/environment.ts'
import { sdkKeyDocuments } from '../../models/sdk-keys/sdk-key.ts'
import { operation } from '../../operation/operation.ts'
import { defaultSdkKeys, isDefaultKey } from './default-sdk-key.ts'
import { sdkKeyResponse, serializeSdkKey } from './sdk-key-schema.ts'

export const getSdkKeyByKey = operation({
  id: 'getSdkKeyByKey',
  summary: 'Get an SDK key of an environment; only callers with `viewSdkKey` see its value',
  method: 'GET',
  path: '/api/v2/projects/{projectKey}/environments/{environmentKey}/sdk-keys/{sdkKeyKey}',
  beta: 'declared',
  success: { status: 200, body: sdkKeyResponse },
  errors: ['not_found'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  async handle(context, { params }) {
    const { tx, fail } = context
    const { sdkKeyKey } = params
    const environment = isDefaultKey(sdkKeyKey)
      ? ((await tx.get(environments, params)) ?? fail('not_found'))
      : undefined
    const sdkKey = environment
      ? defaultSdkKeys(environment).find(({ key }) => key === sdkKeyKey)
      : await tx.get(sdkKeyDocuments, params)
    if (!sdkKey) return fail('not_found')
    context.setRevision(sdkKey.version)
    return serializeSdkKey(context, sdkKey, params)
  },
})
