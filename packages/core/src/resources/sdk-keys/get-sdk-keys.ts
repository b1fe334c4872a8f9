import * as v from 'valibot'
import { environments } from '../../models/environments/environment.ts'
import { type SdkKey, type SdkKeyKeys, sdkKeyDocuments, sdkKeyKinds } from '../../models/sdk-keys/sdk-key.ts'
import type { ReadContext } from '../../operation/context.ts'
import { replaceFieldConditions } from '../../operation/filters/filtered-values.ts'
import { anyWord, termFilter } from '../../operation/filters/term-conditions.ts'
import { pageLinks } from '../../operation/link.ts'
import { operation } from '../../operation/operation.ts'
import { collection, type Output, page, sort } from '../../operation/schema.ts'
import { allOf } from '../../storage/adapter/row-conditions.ts'
import type { Condition } from '../../storage/port.ts'
import { defaultSdkKeys } from './default-sdk-key.ts'
import { sdkKeyResponse, serializeSdkKey } from './sdk-key-schema.ts'

const query = v.object({
  ...page(),
  sort: sort({ createdAt: 'number' }, 'createdAt'),
  filter: termFilter({ kind: anyWord('kind', sdkKeyKinds), active: anyWord('active', ['true', 'false']) }),
})

export const getSdkKeys = operation({
  id: 'getSdkKeys',
  summary: 'List the SDK keys of an environment, by time of creation; the default keys are the oldest',
  method: 'GET',
  path: '/api/v2/projects/{projectKey}/environments/{environmentKey}/sdk-keys',
  beta: 'declared',
  query,
  success: { status: 200, body: collection(sdkKeyResponse) },
  errors: ['invalid_request', 'not_found'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  async handle(context, { params, query }) {
    const environment = (await context.tx.get(environments, params)) ?? context.fail('not_found')
    const where = query.filter.map((condition) => withoutActive(context, condition))
    const matches = allOf(where)
    const defaults = defaultSdkKeys(environment).filter((sdkKey) =>
      matches({
        document: { scope: '', key: sdkKey.key, version: 0, body: sdkKey },
        fields: sdkKeyDocuments.fields(sdkKey),
      }),
    )
    const { items, total } = await pageOf(context, params, { ...query, where, defaults })
    return {
      items: await Promise.all(
        items.map((sdkKey) => serializeSdkKey(context, sdkKey, { ...params, sdkKeyKey: sdkKey.key })),
      ),
      totalCount: total,
      _links: pageLinks(context.url, query, total),
    }
  },
})

/** Replaces the conditions on `active`, which depends on the time of the call. */
function withoutActive(context: ReadContext, condition: Condition): Condition {
  return replaceFieldConditions(condition, 'active', (values) => {
    const next = context.readClock() + 1
    const any = values.map(
      (value): Condition => ({
        op: 'range',
        field: 'expiry',
        ...(value === 'true' ? { from: next } : { to: next }),
      }),
    )
    return { op: 'or', any }
  })
}

/** Returns a page of the default keys and the stored ones together. The default keys are older than all others. */
async function pageOf(
  { tx }: ReadContext,
  params: Omit<SdkKeyKeys, 'sdkKeyKey'>,
  {
    limit,
    offset,
    sort: order,
    where,
    defaults,
  }: Output<typeof query> & { readonly where: readonly Condition[]; readonly defaults: readonly SdkKey[] },
): Promise<{ readonly items: readonly SdkKey[]; readonly total: number }> {
  const list = (start: number, count: number) =>
    tx.list(sdkKeyDocuments, params, { where, order: [order], offset: start, limit: count })
  if (!order.descending) {
    const first = defaults.slice(offset, offset + limit)
    const { items, total } = await list(Math.max(0, offset - defaults.length), limit - first.length)
    return { items: [...first, ...items], total: total + defaults.length }
  }
  const { items, total } = await list(offset, limit)
  const start = Math.max(0, offset - total)
  const last = [...defaults].reverse().slice(start, start + limit - items.length)
  return { items: [...items, ...last], total: total + defaults.length }
}
