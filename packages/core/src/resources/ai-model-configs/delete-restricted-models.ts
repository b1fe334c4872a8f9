import { projects } from '../../models/projects/project.ts'
import { jsonBody } from '../../operation/body.ts'
import { operation } from '../../operation/operation.ts'
import { restrictedModelsRequest, setRestricted } from './set-restricted.ts'

export const deleteRestrictedModels = operation({
  id: 'deleteRestrictedModels',
  summary: 'Remove the restriction of model configs',
  method: 'DELETE',
  path: '/api/v2/projects/{projectKey}/ai-configs/model-configs/restricted',
  body: jsonBody(restrictedModelsRequest),
  success: { status: 204 },
  errors: ['invalid_request', 'forbidden', 'not_found', 'optimistic_locking_error'],
  // The right to change each model config is checked after they are read.
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  async handle(context, { params: { projectKey }, body: { keys } }) {
    if (!(await context.tx.get(projects, { projectKey }))) context.fail('not_found')
    await setRestricted(context, projectKey, keys, false)
  },
})
