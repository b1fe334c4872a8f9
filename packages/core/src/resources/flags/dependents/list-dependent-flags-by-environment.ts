import { environments } from '../../../models/environments/environment.ts'
import { flags } from '../../../models/flags/flag.ts'
import { linkTo } from '../../../operation/link.ts'
import { operation } from '../../../operation/operation.ts'
import { siteOf } from '../flag-config-schema.ts'
import { dependentFlagsResponse, serializeDependent } from './dependent-flag-response.ts'
import { dependentsOf } from './dependents.ts'

export const listDependentFlagsByEnvironment = operation({
  id: 'listDependentFlagsByEnvironment',
  summary: 'List the feature flags that depend on a flag in an environment',
  method: 'GET',
  path: '/api/v2/flags/{projectKey}/{environmentKey}/{flagKey}/dependent-flags',
  beta: 'tagged',
  success: { status: 200, body: dependentFlagsResponse },
  errors: ['not_found'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  async handle({ tx, url, fail }, { params: { projectKey, environmentKey, flagKey } }) {
    const keys = { projectKey, flagKey }
    const environmentKeys = { projectKey, environmentKey }
    const [flag, environment, dependents] = await Promise.all([
      tx.get(flags, keys),
      tx.get(environments, environmentKeys),
      dependentsOf(tx, keys, { environmentKey }),
    ])
    if (!flag || !environment) fail('not_found')
    return {
      items: dependents.map((dependent) => serializeDependent(projectKey, environmentKey, dependent)),
      _links: { self: linkTo(url) },
      _site: siteOf(projectKey, environmentKey, flagKey),
    }
  },
})
