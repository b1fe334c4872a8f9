import { environmentIds, environments } from '../../models/environments/environment.ts'
import { environmentRemovalFollowUps } from '../../models/follow-ups.ts'
import { deleteCard } from '../../operation/cards/delete-card.ts'

export const deleteEnvironment = deleteCard(environments, {
  id: 'deleteEnvironment',
  summary: 'Delete an environment with everything in it',
  path: '/api/v2/projects/{projectKey}/environments/{environmentKey}',
  access: { action: 'deleteEnvironment', resource: 'proj/{projectKey}:env/{environmentKey}' },
  contents: true,
  also({ tx }, environment, keys) {
    tx.discard(environmentIds, { ...keys, environmentId: environment.id })
    for (const followUp of environmentRemovalFollowUps) followUp(tx, keys)
  },
})
