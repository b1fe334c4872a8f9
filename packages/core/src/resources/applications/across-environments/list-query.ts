import * as v from 'valibot'
import { filter } from '../../../operation/filters/filter.ts'
import { oneOf, type QueryFields, queryConditions, trueOrFalse } from '../../../operation/filters/query-conditions.ts'
import { type PageQuery, pageLinks } from '../../../operation/link.ts'
import { commaList, page } from '../../../operation/schema.ts'
import type { Row } from '../../../storage/adapter/row.ts'
import { allOf } from '../../../storage/adapter/row-conditions.ts'
import { rowOrder } from '../../../storage/adapter/row-order.ts'
import type { Condition, Fields, Order } from '../../../storage/port.ts'

const sortFields = { name: 'text', creationDate: 'number' } as const
const sortNames = Object.keys(sortFields).flatMap((name) => [name, `-${name}`])
const sortMessage = 'must be name or creationDate, with "-" before it for descending'

/** Several fields to sort by, separated by commas. */
const sorts = () =>
  v.pipe(
    commaList(),
    v.array(v.picklist(sortNames, sortMessage)),
    v.transform((names) =>
      names.map((text): Order => {
        const field = text.replace(/^-/, '') as keyof typeof sortFields
        return { field, type: sortFields[field], descending: text !== field, ignoreCase: field === 'name' }
      }),
    ),
  )

const textField = (field: string) => ({ equals: oneOf(field), anyOf: oneOf(field) })
const booleanField = (field: string) => ({
  equals: trueOrFalse((value) => ({ op: 'equals', field, value: String(value) })),
})

/** Fields by which applications and their versions are filtered. */
export const commonFields: QueryFields = {
  key: textField('key'),
  name: textField('name'),
  autoAdded: booleanField('autoAdded'),
}

export const applicationFields: QueryFields = { ...commonFields, kind: textField('kind') }

export const versionFields: QueryFields = { ...commonFields, supported: booleanField('supported') }

/** Makes the query schema of a list that can be filtered by these fields. */
export function listQuery(fields: QueryFields, limit: number) {
  return v.object({
    ...page({ limit }),
    sort: v.optional(sorts(), 'name'),
    filter: v.optional(
      filter((text) => queryConditions(text, fields)),
      '',
    ),
  })
}

/** An item of a list, with its key and the fields for filters and order. */
export interface ListItem<T> {
  readonly key: string
  readonly fields: Fields
  readonly item: T
}

/**
 * Returns one page of items that are computed and not stored in a collection, selected and sorted as a storage does
 * with documents.
 *
 * @param url path and query of the call.
 */
export function pageOfItems<T>(
  all: readonly ListItem<T>[],
  query: PageQuery & { readonly sort: readonly Order[]; readonly filter: readonly Condition[] },
  url: string,
) {
  const rows = all.map(
    ({ key, fields, item }): Row => ({
      document: { scope: '', key, version: 0, body: item },
      fields,
    }),
  )
  const { read, compare } = rowOrder(query.sort)
  const selected = rows.filter(allOf(query.filter)).map(read).sort(compare)
  return {
    // Cast: the bodies of the rows are the items.
    items: selected.slice(query.offset, query.offset + query.limit).map(({ row }) => row.document.body as T),
    totalCount: selected.length,
    _links: pageLinks(url, query, selected.length),
  }
}
