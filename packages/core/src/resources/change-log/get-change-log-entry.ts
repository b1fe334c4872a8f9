import { changeLog } from '../../operation/change-log.ts'
import { operation } from '../../operation/operation.ts'
import { changeLogEntryWire, presentEntries, readEntryId } from './change-log-wire.ts'

export const getChangeLogEntry = operation({
  id: 'getChangeLogEntry',
  summary: 'Fetch an entry of the change log',
  method: 'GET',
  path: '/api/v2/auditlog/{id}',
  success: { status: 200, body: changeLogEntryWire },
  errors: ['not_found'],
  access: { action: 'viewAuditLog', resource: 'acct' },
  async handle(context, { params }) {
    const asked = readEntryId(params.id) ?? context.fail('not_found')
    // The newest entry that is older than one right behind the one asked for.
    const before = { at: asked.at, id: `${asked.id}\u0001` }
    const [entry] = await context.tx.newest(changeLog, {}, { limit: 1, before })
    if (entry?.id !== asked.id || entry.at !== asked.at) return context.fail('not_found')
    const [shown] = await presentEntries(context, [entry])
    return shown as NonNullable<typeof shown>
  },
})
