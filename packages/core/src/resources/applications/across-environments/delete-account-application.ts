import { operation } from '../../../operation/operation.ts'
import { undoOf } from '../../../operation/undo/undo-rules.ts'
import { applications } from '../application.ts'
import { findApplication, revisionOf } from './account-application.ts'

export const deleteAccountApplication = operation({
  id: 'deleteAccountApplication',
  undo: [undoOf(applications, {})],
  summary:
    'Delete an application in all environments that have it, but not its deployments; the next event creates it again',
  method: 'DELETE',
  path: '/api/v2/applications/{applicationKey}',
  beta: 'tagged',
  success: { status: 204 },
  errors: ['forbidden', 'not_found', 'optimistic_locking_error'],
  access: {
    open: true,
    why: 'the environments are known only after the applications were read; the rights to delete are checked then',
    demands: ['deleteApplication'],
  },
  async handle(context, { params }) {
    const { parts } = (await findApplication(context, params.applicationKey)) ?? context.fail('not_found')
    for (const { keys, document } of parts) await context.demand('deleteApplication', applications, keys, document)
    context.requireRevision(await revisionOf(parts))
    for (const { keys, document } of parts) context.tx.remove(applications, keys, document)
  },
})
