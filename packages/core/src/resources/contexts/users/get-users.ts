import * as v from 'valibot'
import { operation } from '../../../operation/operation.ts'
import { integer } from '../../../operation/schema.ts'
import { continuationToken, maxFound } from '../context-search.ts'
import { findUsers, usersResponse } from './found-users.ts'

export const getUsers = operation({
  id: 'getUsers',
  summary: 'List the contexts of kind `user` that were seen in an environment, the latest first',
  method: 'GET',
  path: '/api/v2/users/{projectKey}/{environmentKey}',
  query: v.object({ limit: v.optional(integer(1, maxFound), 20), searchAfter: v.optional(continuationToken(), '0') }),
  success: { status: 200, body: usersResponse },
  errors: ['invalid_request', 'not_found'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  handle: (context, { params, query: { limit, searchAfter } }) =>
    findUsers(context, params, { where: [], limit, offset: Number(searchAfter) }),
})
