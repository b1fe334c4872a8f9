import { operation } from '../../operation/operation.ts'
import { viewsProject } from '../projects/project-schema.ts'
import { automatedReleaseResponse, serializeAutomatedRelease } from './automated-release-response.ts'
import { loadReleases } from './load-releases.ts'

export const getAutomatedRelease = operation({
  id: 'getAutomatedRelease',
  summary: 'Get an automated release of a flag, with the time of its next step',
  method: 'GET',
  path: '/api/v2/projects/{projectKey}/flags/{flagKey}/environments/{environmentKey}/automated-releases/{id}',
  success: { status: 200, body: automatedReleaseResponse },
  errors: ['not_found'],
  access: viewsProject,
  async handle(context, { params }) {
    const releases = await loadReleases(context.tx, params)
    const release = releases?.find(({ id }) => id === params.id) ?? context.fail('not_found')
    return serializeAutomatedRelease(context, release, params)
  },
})
