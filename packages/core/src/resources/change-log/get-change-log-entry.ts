import { operation } from '../../operation/operation.ts'
import { changeLogEntryWire, presentEntries, readEntryId } from './change-log-wire.ts'
import { findEntry } from './find-entry.ts'

export const getChangeLogEntry = operation({
  id: 'getChangeLogEntry',
  summary: 'Get an entry of the change log',
  method: 'GET',
  path: '/api/v2/auditlog/{id}',
  success: { status: 200, body: changeLogEntryWire },
  errors: ['not_found'],
  access: { action: 'viewAuditLog', resource: 'acct' },
  async handle(context, { params }) {
    const asked = readEntryId(params.id) ?? context.fail('not_found')
    const entry = (await findEntry(context.tx, asked)) ?? context.fail('not_found')
    const [shown] = await presentEntries(context, [entry])
    return shown as NonNullable<typeof shown>
  },
})
