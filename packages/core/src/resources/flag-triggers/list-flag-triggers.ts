import * as v from 'valibot'
import { environments } from '../../models/environments/environment.ts'
import { flags } from '../../models/flags/flag.ts'
import { pageLinks } from '../../operation/link.ts'
import { operation } from '../../operation/operation.ts'
import { collection, page } from '../../operation/schema.ts'
import { flagTriggers } from './flag-trigger.ts'
import { flagTriggerResponse, serializeFlagTrigger } from './flag-trigger-schema.ts'

export const listFlagTriggers = operation({
  id: 'listFlagTriggers',
  summary: 'List the triggers of a flag in an environment without their URLs, oldest first',
  method: 'GET',
  path: '/api/v2/flags/{projectKey}/{flagKey}/triggers/{environmentKey}',
  query: v.object(page()),
  success: { status: 200, body: collection(flagTriggerResponse) },
  errors: ['invalid_request', 'not_found'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  async handle(context, { params, query }) {
    const { tx, fail } = context
    const { limit, offset } = query
    const [flag, environment, { items, total }] = await Promise.all([
      tx.get(flags, params),
      tx.get(environments, params),
      tx.list(flagTriggers, params, { order: [{ field: 'createdAt', type: 'number' }], limit, offset }),
    ])
    if (!flag || !environment) fail('not_found')
    return {
      items: await Promise.all(
        items.map((trigger) => serializeFlagTrigger(context, trigger, { ...params, id: trigger.id })),
      ),
      totalCount: total,
      _links: pageLinks(context.url, query, total),
    }
  },
})
