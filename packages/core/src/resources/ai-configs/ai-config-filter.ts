import * as v from 'valibot'
import type { Fault } from '../../operation/errors.ts'
import type { Condition } from '../../storage/port.ts'
import { aiConfigModes } from './ai-config.ts'

/**
 * A filter of configs as conditions on their narrow rows: `field:value` terms joined by `,`, all of which must hold
 * (D29).
 *
 *  - `key:value`, `name:value`, `maintainerId:id`, `maintainerTeamKey:key`: exactly that
 *  - `query:text` in key or name; `tags:a+b` all of them; `mode:agent+judge` one of them
 */
export const aiConfigFilter = () =>
  v.pipe(
    v.optional(v.string(), ''),
    v.rawTransform(({ dataset, addIssue, NEVER }): readonly Condition[] => {
      const read = dataset.value
        .split(',')
        .filter((term) => term !== '')
        .map(readTerm)
      const faults = read.filter((one): one is Fault => 'reason' in one)
      for (const { attribute, reason } of faults) addIssue({ message: `${attribute} ${reason}` })
      return faults.length > 0 ? NEVER : (read as Condition[])
    }),
  )

const exactly =
  (field: string) =>
  (value: string): Condition => ({ op: 'equals', field, value })

const fields: Readonly<Record<string, (value: string) => Condition | string>> = {
  key: exactly('key'),
  name: exactly('name'),
  tags: (value) => ({ op: 'and', all: listOf(value).map(exactly('tags')) }),
  mode: (value) => {
    const values = listOf(value)
    const known = values.every((one) => (aiConfigModes as readonly string[]).includes(one))
    return known ? { op: 'anyOf', field: 'mode', values } : `must be one of ${aiConfigModes.join(', ')}`
  },
  maintainerId: exactly('maintainerId'),
  maintainerTeamKey: exactly('maintainerTeamKey'),
  query: (text) => ({ op: 'contains', in: ['key', 'name'], text }),
}

function readTerm(term: string): Condition | Fault {
  const [attribute = '', ...rest] = term.split(':')
  const value = rest.join(':')
  if (!Object.hasOwn(fields, attribute)) {
    return { attribute, reason: `is no field: must be one of ${Object.keys(fields).join(', ')}` }
  }
  const read = value === '' ? 'must have a value after ":"' : (fields[attribute]?.(value) ?? '')
  return typeof read === 'string' ? { attribute, reason: read } : read
}

/** In a query string a bare `+` means a space, so both separate; no tag and no mode contains either. */
function listOf(value: string): string[] {
  return value.split(/[+ ]/).filter((item) => item !== '')
}
