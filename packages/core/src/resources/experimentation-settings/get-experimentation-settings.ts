import {
  defaultExperimentationSettings,
  experimentationSettings,
} from '../../models/experimentation-settings/experimentation-settings.ts'
import { projects } from '../../models/projects/project.ts'
import { operation } from '../../operation/operation.ts'
import { experimentationSettingsResponse, serializeExperimentationSettings } from './experimentation-settings-schema.ts'
import { kindsByKey, storedKindsOf } from './kinds-of-units.ts'

export const getExperimentationSettings = operation({
  id: 'getExperimentationSettings',
  summary: 'Get the units by which the experiments of a project randomize',
  method: 'GET',
  path: '/api/v2/projects/{projectKey}/experimentation-settings',
  success: { status: 200, body: experimentationSettingsResponse },
  errors: ['not_found'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  async handle(context, { params }) {
    const { tx } = context
    const [storedProject, stored] = await Promise.all([
      tx.get(projects, params),
      tx.get(experimentationSettings, params),
    ])
    const project = storedProject ?? context.fail('not_found')
    const settings = stored ?? defaultExperimentationSettings(project.createdAt)
    const kinds = await storedKindsOf(tx, params.projectKey, settings.randomizationUnits)
    context.setRevision(settings.version)
    return serializeExperimentationSettings(context, project, settings, kindsByKey(kinds, project.createdAt))
  },
})
