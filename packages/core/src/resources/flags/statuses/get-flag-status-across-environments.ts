import * as v from 'valibot'
import { type FlagConfig, flagConfigs } from '../../../models/flags/flag-config.ts'
import { linkTo, path } from '../../../operation/link.ts'
import { operation } from '../../../operation/operation.ts'
import { commaList, links } from '../../../operation/schema.ts'
import { loadFlag, seenIn } from '../flag-state.ts'
import { plainStatusWire, presentPlainStatuses } from './flag-status-wire.ts'

export const getFlagStatusAcrossEnvironments = operation({
  id: 'getFlagStatusAcrossEnvironments',
  summary: 'Get the status of a feature flag in all environments, or in those named by `env`',
  method: 'GET',
  path: '/api/v2/flag-status/{projectKey}/{featureFlagKey}',
  query: v.object({ env: v.optional(commaList(), []) }),
  success: {
    status: 200,
    body: v.object({ key: v.string(), environments: v.record(v.string(), plainStatusWire), _links: links() }),
  },
  errors: ['invalid_request', 'not_found'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  async handle(context, { params: { projectKey, featureFlagKey: flagKey }, query }) {
    const state = (await loadFlag(context.tx, { projectKey, flagKey }, context)) ?? context.fail('not_found')
    const { flag, environments, configs } = query.env.length > 0 ? seenIn(state, query.env) : state
    const keys = environments.map(({ key }) => key)
    const seen = await Promise.all(
      keys.map((environmentKey) =>
        context.allowed('viewFlagStatus', flagConfigs, { projectKey, environmentKey, flagKey }),
      ),
    )
    const shown = keys.filter((_, at) => seen[at])
    const statuses = await presentPlainStatuses(
      context,
      shown.map((environmentKey) => ({
        projectKey,
        environmentKey,
        flag,
        config: configs.get(environmentKey) as FlagConfig,
      })),
    )
    return {
      key: flagKey,
      environments: Object.fromEntries(shown.map((key, at) => [key, statuses[at] as (typeof statuses)[number]])),
      _links: {
        self: linkTo(path`/api/v2/flag-status/${projectKey}/${flagKey}`),
        parent: linkTo(path`/api/v2/flags/${projectKey}/${flagKey}`),
      },
    }
  },
})
