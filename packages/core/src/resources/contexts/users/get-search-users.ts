import * as v from 'valibot'
import { operation } from '../../../operation/operation.ts'
import { integer, moment } from '../../../operation/schema.ts'
import type { Condition } from '../../../storage/port.ts'
import { continuationToken, maxFound } from '../context-search.ts'
import { findUsers, usersResponse } from './found-users.ts'

export const getSearchUsers = operation({
  id: 'getSearchUsers',
  summary: 'Search the contexts of kind `user` that were seen in an environment by a part of their key or name',
  method: 'GET',
  path: '/api/v2/user-search/{projectKey}/{environmentKey}',
  query: v.object({
    q: v.optional(v.string(), ''),
    after: v.optional(moment()),
    sort: v.optional(v.picklist(['lastSeen', '-lastSeen'], 'must be lastSeen or -lastSeen'), '-lastSeen'),
    limit: v.optional(integer(1, maxFound), 20),
    searchAfter: v.optional(continuationToken(), '0'),
  }),
  success: { status: 200, body: usersResponse },
  errors: ['invalid_request', 'not_found'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  handle(context, { params, query: { q, after, sort, limit, searchAfter } }) {
    const where: Condition[] = []
    if (q !== '') where.push({ op: 'contains', in: ['keyLines', 'nameLines'], text: q })
    if (after !== undefined) where.push({ op: 'range', field: 'lastSeen', from: after + 1 })
    return findUsers(context, params, { where, limit, offset: Number(searchAfter), oldestFirst: sort === 'lastSeen' })
  },
})
