import * as v from 'valibot'
import { environments } from '../../models/environments/environment.ts'
import { flags } from '../../models/flags/flag.ts'
import { scheduledChanges } from '../../models/scheduled-changes/scheduled-change.ts'
import { pageLinks } from '../../operation/link.ts'
import { operation } from '../../operation/operation.ts'
import { collection, page } from '../../operation/schema.ts'
import { scheduledChangeResponse, serializeScheduledChange } from './scheduled-change-schema.ts'

export const listScheduledChanges = operation({
  id: 'listScheduledChanges',
  summary: 'List the scheduled changes of a flag in an environment, the next one first',
  method: 'GET',
  path: '/api/v2/projects/{projectKey}/flags/{flagKey}/environments/{environmentKey}/scheduled-changes',
  query: v.object(page()),
  success: { status: 200, body: collection(scheduledChangeResponse) },
  errors: ['invalid_request', 'not_found'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  async handle(context, { params, query }) {
    const { tx, fail } = context
    const { limit, offset } = query
    const [flag, environment, { items, total }] = await Promise.all([
      tx.get(flags, { ...params, flagKey: params.flagKey }),
      tx.get(environments, params),
      tx.list(scheduledChanges, params, { order: [{ field: 'executionDate', type: 'number' }], limit, offset }),
    ])
    if (!flag || !environment) fail('not_found')
    return {
      items: items.map((scheduledChange) => serializeScheduledChange(context, scheduledChange, params)),
      totalCount: total,
      _links: pageLinks(context.url, query, total),
    }
  },
})
