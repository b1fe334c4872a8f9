import { flagStates } from '../../models/flags/flag.ts'
import type { FilterResult } from '../../operation/filters/filter.ts'
import {
  allTexts,
  anyText,
  anyWord,
  oneWord,
  period,
  sameText,
  type TermFields,
  termConditions,
  words,
} from '../../operation/filters/term-conditions.ts'
import type { Condition } from '../../storage/port.ts'

/** The condition of archived flags. */
export const archived: Condition = { op: 'equals', field: 'state', value: 'archived' }

/** The condition of flags that are not archived, which a filter without `state` and `archived` has. */
export const notArchived: Condition = { op: 'not', condition: archived }
const client: Condition = { op: 'equals', field: 'sdks', value: 'client' }
const mobile: Condition = { op: 'equals', field: 'sdks', value: 'mobile' }
const anyClient: Condition = { op: 'or', any: [client, mobile] }

/** Filters that the indexed fields of flags support. */
const fields: TermFields = {
  query: words('key', 'name'),
  key: anyText('key'),
  name: sameText('name'),
  tags: allTexts('tags'),
  maintainerId: anyText('maintainerId'),
  maintainerTeamKey: anyText('maintainerTeamKey'),
  type: oneWord({
    temporary: { op: 'equals', field: 'temporary', value: true },
    permanent: { op: 'equals', field: 'temporary', value: false },
  }),
  state: anyWord('state', flagStates),
  archived: oneWord({ true: archived, false: notArchived }),
  sdkAvailability: oneWord({ client, mobile, anyClient, server: { op: 'not', condition: anyClient } }),
  creationDate: period('createdAt'),
  purpose: anyWord('purpose', ['migration']),
  // Not a field of a flag: `inViews` handles it.
  view: anyText('view'),
}

/**
 * Makes a function that reads a filter of flags: `field:value` terms joined by `,`, all of which must hold
 * (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d19-links-to-a-view).
 *
 * - `query:text` in key or name; `key:a+b` and `view:a+b` any of them; `tags:a+b` all of them; `name:text` exactly -
 * `maintainerId:id`, `maintainerTeamKey:key`; `type:temporary` or `permanent`; `purpose:migration` - `state:live`,
 * `deprecated` or `archived`, several joined by `+`; `archived:true` is the same as `state:archived` -
 * `sdkAvailability:client`, `mobile`, `anyClient`, or `server` for none of these -
 * `creationDate:{"after":ms,"before":ms}`
 *
 * Archived flags are left out unless `state` or `archived` includes them.
 *
 * @param more further fields, which the operation handles.
 */
export function flagFilter(more: TermFields): (text: string) => FilterResult {
  const all = { ...fields, ...more }
  const byDefault = { unless: ['state', 'archived'], condition: notArchived }
  return (text) => termConditions(text, all, byDefault)
}
