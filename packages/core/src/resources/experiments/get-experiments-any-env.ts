import { experiments } from '../../models/experiments/experiment.ts'
import { projects } from '../../models/projects/project.ts'
import { pageLinks } from '../../operation/link.ts'
import { operation } from '../../operation/operation.ts'
import { collection } from '../../operation/schema.ts'
import { experimentConditions, experimentListQuery } from './experiment-conditions.ts'
import { experimentResponse, serializeExperiment } from './experiment-schema.ts'

export const getExperimentsAnyEnv = operation({
  id: 'getExperimentsAnyEnv',
  summary: 'List the experiments of all environments of a project',
  method: 'GET',
  path: '/api/v2/projects/{projectKey}/experiments',
  query: experimentListQuery,
  success: { status: 200, body: collection(experimentResponse) },
  errors: ['invalid_request', 'not_found'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  async handle(context, { params, query }) {
    const { limit, offset } = query
    const where = experimentConditions(query)
    const [project, { items, total }] = await Promise.all([
      context.tx.get(projects, params),
      context.tx.list(experiments, params, { deep: true, where, limit, offset }),
    ])
    if (!project) return context.fail('not_found')
    const serialized = items.map((experiment) => {
      const { environmentKey, key: experimentKey } = experiment
      return serializeExperiment(context, experiment, { ...params, environmentKey, experimentKey }, query)
    })
    return {
      items: await Promise.all(serialized),
      totalCount: total,
      _links: pageLinks(context.url, { limit, offset }, total),
    }
  },
})
