import { environments } from '../../../models/environments/environment.ts'
import { flags } from '../../../models/flags/flag.ts'
import { defaultConfig, flagConfigs } from '../../../models/flags/flag-config.ts'
import { operation } from '../../../operation/operation.ts'
import { configAt } from '../config-at.ts'
import { flagStatusResponse, serializeStatuses } from './flag-status-response.ts'

export const getFlagStatus = operation({
  id: 'getFlagStatus',
  summary: 'Get the status of a feature flag in an environment',
  method: 'GET',
  path: '/api/v2/flag-statuses/{projectKey}/{environmentKey}/{flagKey}',
  success: { status: 200, body: flagStatusResponse },
  errors: ['not_found'],
  access: { action: 'viewFlagStatus', resource: 'proj/{projectKey}:env/{environmentKey}:flag/{flagKey}' },
  async handle(context, { params: { projectKey, environmentKey, flagKey } }) {
    const { tx, fail } = context
    const keys = { projectKey, environmentKey, flagKey }
    const [environment = fail('not_found'), flag = fail('not_found'), config] = await Promise.all([
      tx.get(environments, keys),
      tx.get(flags, keys),
      tx.get(flagConfigs, keys),
    ])
    const currentConfig = config ? configAt(flag, config, context) : defaultConfig(flag, environment)
    const flagInEnvironment = { projectKey, environmentKey, flag, config: currentConfig }
    const [status] = await serializeStatuses(context, [flagInEnvironment])
    return status as NonNullable<typeof status>
  },
})
