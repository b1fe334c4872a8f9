import * as v from 'valibot'
import { optionalJsonBody } from '../../operation/body.ts'
import type { ChangeLogEntry } from '../../operation/change-log/change-log-entry.ts'
import { parseEntryId } from '../../operation/change-log/entry-id.ts'
import { path, selfAndParent } from '../../operation/link.ts'
import { operation } from '../../operation/operation.ts'
import { links } from '../../operation/schema.ts'
import { bypassQuery } from '../environments/approval-bypass-query.ts'
import { findEntry } from './find-entry.ts'
import { planRevert } from './revert/plan-revert.ts'
import { refuse } from './revert/refuse.ts'
import { refuseConflicts } from './revert/refuse-conflicts.ts'
import { requireEmptied } from './revert/require-emptied.ts'
import { writeRevert } from './revert/write-revert.ts'

export const revertChangeLogEntry = operation({
  id: 'revertChangeLogEntry',
  summary: 'Revert an entry of the change log: the reverted call is undone with the rights of the caller',
  method: 'POST',
  path: '/api/v2/auditlog/{id}/revert',
  query: v.object(bypassQuery),
  body: optionalJsonBody(v.strictObject({ comment: v.optional(v.string()) })),
  success: {
    status: 201,
    body: v.object({ _links: links(), reverts: v.string() }),
  },
  errors: ['invalid_request', 'forbidden', 'not_found', 'method_not_allowed', 'optimistic_locking_error'],
  // The right to each change is checked with the change.
  access: { action: 'viewAuditLog', resource: 'acct' },
  undoes: true,
  async handle(context, { params, query, body }) {
    const position = parseEntryId(params.id) ?? context.fail('not_found')
    const entry = (await findEntry(context.tx, position)) ?? context.fail('not_found')
    const content = entry.body as ChangeLogEntry
    const plan = await planRevert(context, entry)
    await refuseConflicts(context, entry, plan.documents)
    await requireEmptied(context, entry, plan)
    const writes = plan.documents.length + plan.sets.length + (content.removed?.length ?? 0)
    if (writes === 0) refuse(context, 'it changed nothing that a call can change')
    context.setReverted(params.id)
    await writeRevert(context, content, plan, { comment: body.comment, ...query, documents: plan.documents })
    return { _links: selfAndParent(path`/api/v2/auditlog/${params.id}`, '/api/v2/auditlog'), reverts: params.id }
  },
})
