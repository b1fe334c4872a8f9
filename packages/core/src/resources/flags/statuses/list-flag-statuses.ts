import * as v from 'valibot'
import { environments } from '../../../models/environments/environment.ts'
import { flags } from '../../../models/flags/flag.ts'
import { type FlagConfig, flagConfigs } from '../../../models/flags/flag-config.ts'
import { pageLinks } from '../../../operation/link.ts'
import { operation } from '../../../operation/operation.ts'
import { collection, page } from '../../../operation/schema.ts'
import { withConfigs } from '../flag-state.ts'
import { flagStatusWire, presentStatuses } from './flag-status-wire.ts'

export const listFlagStatuses = operation({
  id: 'listFlagStatuses',
  summary: 'List the statuses of the feature flags of a project in an environment, by key',
  method: 'GET',
  path: '/api/v2/flag-statuses/{projectKey}/{environmentKey}',
  query: v.object(page()),
  success: { status: 200, body: collection(flagStatusWire) },
  errors: ['invalid_request', 'not_found'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  async handle(context, { params, query }) {
    const { tx, fail } = context
    const { projectKey, environmentKey } = params
    const [environment = fail('not_found'), found] = await Promise.all([
      tx.get(environments, params),
      tx.list(flags, params, { limit: query.limit, offset: query.offset }),
    ])
    const states = await withConfigs(tx, projectKey, found.items, [environment], context)
    const may = ({ key: flagKey }: (typeof found.items)[number]) =>
      context.allowed('viewFlagStatus', flagConfigs, { ...params, flagKey })
    const seen = await Promise.all(found.items.map(may))
    const places = states
      .filter((_, at) => seen[at])
      .map(({ flag, configs }) => ({ ...params, flag, config: configs.get(environmentKey) as FlagConfig }))
    return {
      items: await presentStatuses(context, places),
      // Counts all flags, which every caller who may view the project can see anyway.
      totalCount: found.total,
      _links: pageLinks(context.url, query, found.total),
    }
  },
})
