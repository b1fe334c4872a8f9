import * as v from 'valibot'
import { operation } from '../../operation/operation.ts'
import { commaList } from '../../operation/schema.ts'
import { changeLogPage, changeLogPageResponse, pageQuery } from './change-log-page.ts'

export const listChangeLog = operation({
  id: 'listChangeLog',
  summary:
    'List the entries of the change log, newest first; `cursor` is the `_id` of the last entry of the previous page',
  method: 'GET',
  path: '/api/v2/auditlog',
  query: v.object({
    ...pageQuery,
    spec: v.optional(v.string()),
    action: v.optional(v.pipe(commaList(), v.maxLength(100, 'must contain at most 100 actions'))),
    member: v.optional(v.string()),
    token: v.optional(v.string()),
    kind: v.optional(v.string()),
  }),
  success: { status: 200, body: changeLogPageResponse },
  errors: ['invalid_request'],
  access: { action: 'viewAuditLog', resource: 'acct' },
  async handle(context, { query }) {
    return changeLogPage(context, query)
  },
})
