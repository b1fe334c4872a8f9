import { contextInstances, seenContexts } from '../../models/contexts/seen-context.ts'
import { environments } from '../../models/environments/environment.ts'
import { operation } from '../../operation/operation.ts'
import { contextName } from '../../rules/contexts/sighting.ts'
import { requireUnchangedEnvironment } from '../environments/require-unchanged-environment.ts'

export const deleteContextInstances = operation({
  id: 'deleteContextInstances',
  summary:
    'Delete a combination of contexts, and the contexts that are in no other combination; the next report stores them again',
  method: 'DELETE',
  path: '/api/v2/projects/{projectKey}/environments/{environmentKey}/context-instances/{id}',
  success: { status: 204 },
  errors: ['not_found', 'optimistic_locking_error'],
  access: {
    action: 'deleteContextInstance',
    resource: 'proj/{projectKey}:env/{environmentKey}:context-instance/{id}',
  },
  async handle(context, { params }) {
    const { tx, fail } = context
    const { projectKey, environmentKey, id: instanceId } = params
    const environmentKeys = { projectKey, environmentKey }
    const environment = await requireUnchangedEnvironment(context, environmentKeys)
    const { contexts } = (await tx.get(contextInstances, { ...environmentKeys, instanceId })) ?? fail('not_found')
    tx.discard(contextInstances, { ...environmentKeys, instanceId })
    const host = context.useHost()
    for (const part of contexts) {
      const inInstances = { op: 'equals', field: 'kindKeys', value: `${part.kind}:${part.key}` } as const
      const { total } = await tx.listRows(contextInstances, environmentKeys, { where: [inInstances], limit: 1 })
      if (total > 1) continue
      tx.discard(seenContexts, { ...environmentKeys, contextId: await host.sha256(contextName([part])) })
    }
    tx.note(environments, environmentKeys, environment, { set: 'contextInstances', removed: [instanceId] })
  },
})
