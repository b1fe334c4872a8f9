import * as v from 'valibot'
import { environments } from '../../../models/environments/environment.ts'
import { flags } from '../../../models/flags/flag.ts'
import { type FlagConfig, flagConfigs } from '../../../models/flags/flag-config.ts'
import { pageLinks } from '../../../operation/link.ts'
import { operation } from '../../../operation/operation.ts'
import { collection, page } from '../../../operation/schema.ts'
import { withConfigs } from '../flag-state.ts'
import { flagStatusResponse, serializeStatuses } from './flag-status-response.ts'

export const listFlagStatuses = operation({
  id: 'listFlagStatuses',
  summary: 'List the statuses of the feature flags of a project in an environment, by key',
  method: 'GET',
  path: '/api/v2/flag-statuses/{projectKey}/{environmentKey}',
  query: v.object(page()),
  success: { status: 200, body: collection(flagStatusResponse) },
  errors: ['invalid_request', 'not_found'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  async handle(context, { params, query }) {
    const { tx, fail } = context
    const { projectKey, environmentKey } = params
    const [environment = fail('not_found'), flagPage] = await Promise.all([
      tx.get(environments, params),
      tx.list(flags, params, { limit: query.limit, offset: query.offset }),
    ])
    const states = await withConfigs(tx, projectKey, { flagList: flagPage.items, environments: [environment] }, context)
    const isVisible = ({ key: flagKey }: (typeof flagPage.items)[number]) =>
      context.allowed('viewFlagStatus', flagConfigs, { ...params, flagKey })
    const visible = await Promise.all(flagPage.items.map(isVisible))
    const flagsInEnvironment = states
      .filter((_, index) => visible[index])
      .map(({ flag, configs }) => ({ ...params, flag, config: configs.get(environmentKey) as FlagConfig }))
    return {
      items: await serializeStatuses(context, flagsInEnvironment),
      // Counts all flags, which every caller who may view the project can see anyway.
      totalCount: flagPage.total,
      _links: pageLinks(context.url, query, flagPage.total),
    }
  },
})
