import * as v from 'valibot'
import { jsonBody } from '../../operation/body.ts'
import { operation } from '../../operation/operation.ts'
import { compilePolicy } from '../../rules/policy/policy.ts'
import { compileRole } from '../policy.ts'
import { policyRequest } from '../roles/policy-schema.ts'
import { changeLogPage, changeLogPageResponse, pageQuery } from './change-log-page.ts'

export const searchChangeLog = operation({
  id: 'searchChangeLog',
  summary:
    'List the entries of the change log that policy statements select, newest first; without statements all entries',
  method: 'POST',
  path: '/api/v2/auditlog',
  query: v.object(pageQuery),
  body: jsonBody(policyRequest),
  dry: true,
  success: { status: 200, body: changeLogPageResponse },
  errors: ['invalid_request'],
  access: { action: 'viewAuditLog', resource: 'acct' },
  async handle(context, { query, body: statements }) {
    if (statements.length === 0) return changeLogPage(context, query)
    return changeLogPage(context, query, compilePolicy([compileRole({ name: 'search', statements })]))
  },
})
