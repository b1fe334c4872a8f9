import { parseEntryId } from '../../operation/change-log/entry-id.ts'
import { operation } from '../../operation/operation.ts'
import { changeLogEntryResponse, serializeEntries } from './change-log-response.ts'
import { findEntry } from './find-entry.ts'

export const getChangeLogEntry = operation({
  id: 'getChangeLogEntry',
  summary: 'Get an entry of the change log',
  method: 'GET',
  path: '/api/v2/auditlog/{id}',
  success: { status: 200, body: changeLogEntryResponse },
  errors: ['not_found'],
  access: { action: 'viewAuditLog', resource: 'acct' },
  async handle(context, { params }) {
    const position = parseEntryId(params.id) ?? context.fail('not_found')
    const entry = (await findEntry(context.tx, position)) ?? context.fail('not_found')
    const [response] = await serializeEntries(context, [entry])
    return response as NonNullable<typeof response>
  },
})
