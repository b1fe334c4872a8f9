import { contextInstances, seenContexts } from '../../../models/contexts/seen-context.ts'
import { environments } from '../../../models/environments/environment.ts'
import { operation } from '../../../operation/operation.ts'
import { userKind } from '../../../rules/targeting/clause.ts'
import { requireUnchangedEnvironment } from '../../environments/require-unchanged-environment.ts'

export const deleteUser = operation({
  id: 'deleteUser',
  summary:
    'Delete a context of kind `user` with the combinations of contexts that contain it; the next report stores it again',
  method: 'DELETE',
  path: '/api/v2/users/{projectKey}/{environmentKey}/{userKey}',
  freeParams: ['userKey'],
  success: { status: 204 },
  errors: ['not_found', 'optimistic_locking_error'],
  access: { action: 'deleteUser', resource: 'proj/{projectKey}:env/{environmentKey}:user/{userKey}' },
  async handle(context, { params: { userKey, ...keys } }) {
    const { tx, fail } = context
    const environment = await requireUnchangedEnvironment(context, keys)
    const where = [{ op: 'equals', field: 'kindKeys', value: `${userKind}:${userKey}` }] as const
    const [users, instances] = await Promise.all([
      tx.listRows(seenContexts, keys, { where, limit: 1 }),
      tx.listRows(contextInstances, keys, { where, limit: 1 }),
    ])
    const [user] = users.items
    const [instance] = instances.items
    if (!user && !instance) fail('not_found')
    // The contexts are found and deleted in the commit, so that a report which is stored concurrently leaves nothing
    // behind.
    tx.discardAll(seenContexts, keys, where)
    tx.discardAll(contextInstances, keys, where)
    // The change log names the context by its id, which is a hash: the entry is kept for longer than the deleted data,
    // and must not contain the key.
    tx.note(environments, keys, environment, { set: 'contexts', removed: [user?.key ?? (instance?.key as string)] })
  },
})
