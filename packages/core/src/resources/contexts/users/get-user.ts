import { seenContexts } from '../../../models/contexts/seen-context.ts'
import { environments } from '../../../models/environments/environment.ts'
import { operation } from '../../../operation/operation.ts'
import { serializeUser, userRecordResponse } from './user-response.ts'

export const getUser = operation({
  id: 'getUser',
  summary: 'Get a context of kind `user` that was seen in an environment',
  method: 'GET',
  path: '/api/v2/users/{projectKey}/{environmentKey}/{userKey}',
  freeParams: ['userKey'],
  success: { status: 200, body: userRecordResponse },
  errors: ['not_found'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  async handle(context, { params }) {
    const { tx, fail } = context
    const environment = (await tx.get(environments, params)) ?? fail('not_found')
    const where = [{ op: 'equals', field: 'kindKeys', value: `user:${params.userKey}` }] as const
    const { items } = await tx.list(seenContexts, params, { where, limit: 1 })
    return serializeUser(context, items[0] ?? fail('not_found'), { ...params, environment })
  },
})
