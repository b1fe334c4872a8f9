import * as v from 'valibot'
import type { Fault } from '../../operation/errors.ts'
import type { Condition } from '../../storage/port.ts'
import { flagStates } from './flag.ts'

/**
 * A filter of flags as conditions on their narrow rows: `field:value` terms joined by `,`, all of which must hold.
 *
 *  - `query:text` in key or name; `tags:a+b` all of them; `maintainerId:id`; `maintainerTeamKey:key`
 *  - `type:temporary` or `type:permanent`
 *  - `state:live`, `deprecated` or `archived`, several joined by `+`; `archived:true` is the same as `state:archived`
 *
 * Archived flags are left out where neither `state` nor `archived` says otherwise.
 */
export const flagFilter = () =>
  v.pipe(
    v.optional(v.string(), ''),
    v.rawTransform(({ dataset, addIssue, NEVER }): readonly Condition[] => {
      const terms = dataset.value.split(',').filter((term) => term !== '')
      const read = terms.map(readTerm)
      const faults = read.filter((one): one is Fault => 'reason' in one)
      for (const { attribute, reason } of faults) addIssue({ message: `${attribute} ${reason}` })
      if (faults.length > 0) return NEVER
      const asked = terms.some((term) => /^(state|archived):/.test(term))
      return [...(read as Condition[]), ...(asked ? [] : [notArchived])]
    }),
  )

const notArchived: Condition = { op: 'not', condition: { op: 'equals', field: 'state', value: 'archived' } }

type ReadValue = (value: string) => Condition | string

const fields: Readonly<Record<string, ReadValue>> = {
  query: (text) => ({ op: 'contains', in: ['key', 'name'], text }),
  tags: (value) => ({ op: 'and', all: listOf(value).map((tag) => ({ op: 'equals', field: 'tags', value: tag })) }),
  maintainerId: (value) => ({ op: 'equals', field: 'maintainerId', value }),
  maintainerTeamKey: (value) => ({ op: 'equals', field: 'maintainerTeamKey', value }),
  type: (value) =>
    value === 'temporary' || value === 'permanent'
      ? { op: 'equals', field: 'temporary', value: value === 'temporary' }
      : 'must be temporary or permanent',
  state: (value) => {
    const values = listOf(value)
    const known = values.every((one) => (flagStates as readonly string[]).includes(one))
    return known ? { op: 'anyOf', field: 'state', values } : `must be one of ${flagStates.join(', ')}`
  },
  archived: (value) => {
    if (value === 'true') return { op: 'equals', field: 'state', value: 'archived' }
    return value === 'false' ? notArchived : 'must be true or false'
  },
}

function readTerm(term: string): Condition | Fault {
  const colon = term.indexOf(':')
  const field = colon < 0 ? term : term.slice(0, colon)
  if (!Object.hasOwn(fields, field)) {
    return { attribute: field, reason: `is no field: must be one of ${Object.keys(fields).join(', ')}` }
  }
  const value = colon < 0 ? '' : term.slice(colon + 1)
  const read = value === '' ? 'must have a value after ":"' : (fields[field] as ReadValue)(value)
  return typeof read === 'string' ? { attribute: field, reason: read } : read
}

/** In a query string a bare `+` means a space, so both separate; no tag and no state contains either. */
function listOf(value: string): string[] {
  return value.split(/[+ ]/).filter((item) => item !== '')
}
