import * as v from 'valibot'
import { type FlagConfig, flagConfigs } from '../../../models/flags/flag-config.ts'
import { linkTo, path } from '../../../operation/link.ts'
import { operation } from '../../../operation/operation.ts'
import { commaList, links } from '../../../operation/schema.ts'
import { limitToEnvironments, loadFlag } from '../flag-state.ts'
import { plainStatusResponse, serializePlainStatuses } from './flag-status-response.ts'

export const getFlagStatusAcrossEnvironments = operation({
  id: 'getFlagStatusAcrossEnvironments',
  summary: 'Get the status of a feature flag in all environments, or in those named by `env`',
  method: 'GET',
  path: '/api/v2/flag-status/{projectKey}/{flagKey}',
  query: v.object({ env: v.optional(commaList(), []) }),
  success: {
    status: 200,
    body: v.object({ key: v.string(), environments: v.record(v.string(), plainStatusResponse), _links: links() }),
  },
  errors: ['invalid_request', 'not_found'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  async handle(context, { params: { projectKey, flagKey }, query }) {
    const state = (await loadFlag(context.tx, { projectKey, flagKey }, context)) ?? context.fail('not_found')
    const { flag, environments, configs } = query.env.length > 0 ? limitToEnvironments(state, query.env) : state
    const keys = environments.map(({ key }) => key)
    const visible = await Promise.all(
      keys.map((environmentKey) =>
        context.allowed('viewFlagStatus', flagConfigs, { projectKey, environmentKey, flagKey }),
      ),
    )
    const visibleKeys = keys.filter((_, index) => visible[index])
    const statuses = await serializePlainStatuses(
      context,
      visibleKeys.map((environmentKey) => ({
        projectKey,
        environmentKey,
        flag,
        config: configs.get(environmentKey) as FlagConfig,
      })),
    )
    return {
      key: flagKey,
      environments: Object.fromEntries(
        visibleKeys.map((key, index) => [key, statuses[index] as (typeof statuses)[number]]),
      ),
      _links: {
        self: linkTo(path`/api/v2/flag-status/${projectKey}/${flagKey}`),
        parent: linkTo(path`/api/v2/flags/${projectKey}/${flagKey}`),
      },
    }
  },
})
