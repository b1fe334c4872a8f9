import { flags } from '../../../models/flags/flag.ts'
import { linkTo } from '../../../operation/link.ts'
import { operation } from '../../../operation/operation.ts'
import { loadEnvironments } from '../flag-state.ts'
import {
  multiEnvironmentDependentFlagsResponse,
  serializeMultiEnvironmentDependent,
} from './dependent-flag-response.ts'
import { dependentsOf } from './dependents.ts'

export const listDependentFlags = operation({
  id: 'listDependentFlags',
  summary: 'List the feature flags that depend on a flag, and the environments in which they do',
  method: 'GET',
  path: '/api/v2/flags/{projectKey}/{flagKey}/dependent-flags',
  beta: 'tagged',
  success: { status: 200, body: multiEnvironmentDependentFlagsResponse },
  errors: ['not_found'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  async handle({ tx, url, fail }, { params: { projectKey, flagKey } }) {
    const keys = { projectKey, flagKey }
    const [flag, environments, dependents] = await Promise.all([
      tx.get(flags, keys),
      loadEnvironments(tx, projectKey),
      dependentsOf(tx, keys),
    ])
    if (!flag) fail('not_found')
    const environmentByKey = new Map(environments.map((environment) => [environment.key, environment]))
    return {
      items: dependents.map((dependent) => serializeMultiEnvironmentDependent(projectKey, environmentByKey, dependent)),
      _links: { self: linkTo(url) },
    }
  },
})
