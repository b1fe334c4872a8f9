import { expect, it } from 'vitest'
import type { ImportedProject } from '../imported-project.ts'
import { readFlagd } from './read-flagd.ts'

function read(flags: object, setOverrides: object = {}): ImportedProject {
  const result = readFlagd([{ flags, ...setOverrides }], {})
  if (!result.ok) throw new Error(`${result.at} ${result.reason}`)
  return result.importedProject
}

const flag = (targeting: object | undefined, overrides: object = {}) => ({
  state: 'ENABLED',
  variants: { a: 'A', b: 'B' },
  defaultVariant: 'a',
  ...(targeting ? { targeting } : {}),
  ...overrides,
})

const config = (importedProject: ImportedProject) => importedProject.flags[0]?.configs.production

it('a chain of `if` conditions becomes rules, and its last case becomes the default rule', () => {
  const chain = { if: [{ '==': [{ var: 'country' }, 'de'] }, 'b', { '==': [{ var: 'country' }, 'fr'] }, 'b', 'a'] }
  const clause = (value: string) => [
    { contextKind: 'user', attribute: 'country', op: 'in', values: [value], negate: false },
  ]
  expect(config(read({ x: flag(chain) }))).toMatchObject({
    on: true,
    rules: [
      { clauses: clause('de'), variation: 1 },
      { clauses: clause('fr'), variation: 1 },
    ],
    fallthrough: { variation: 0 },
  })
  expect(config(read({ x: flag(chain) }))).not.toHaveProperty('offVariation')
})

it.each([
  ['an operation', { if: [{ '+': [1, 2] }, 'b'] }, 'rules have no equivalent of +'],
  [
    'two attributes',
    { if: [{ '==': [{ var: 'a' }, { var: 'b' }] }, 'b'] },
    'a clause compares an attribute with a value, not with another attribute',
  ],
  ['an order of texts', { if: [{ '<': [{ var: 'a' }, 'm'] }, 'b'] }, 'rules cannot compare the order of texts'],
  ['an item of a list', { if: [{ '==': [{ var: 'a.0' }, 'm'] }, 'b'] }, 'rules cannot compare {"var":"a.0"}'],
  ['a default', { if: [{ '==': [{ var: ['a', 'x'] }, 'm'] }, 'b'] }, 'rules cannot compare {"var":["a","x"]}'],
  ['a reserved attribute name', { if: [{ '==': [{ var: 'kind' }, 'm'] }, 'b'] }, 'rules cannot compare {"var":"kind"}'],
  [
    'computed weights',
    {
      fractional: [
        ['a', { var: 'n' }],
        ['b', 1],
      ],
    },
    'the buckets of fractional must be names with weights',
  ],
  ['the clock', { if: [{ '<': [{ var: '$flagd.timestamp' }, 5] }, 'b'] }, 'rules have no clock'],
  [
    'an unknown variant',
    { if: [{ '==': [{ var: 'a' }, 'x'] }, 'z'] },
    'the flag has no variant of that name, and requesting it is an error',
  ],
])('the import reports %s', (_, targeting, why) => {
  const importedProject = read({ x: flag(targeting) })
  expect(importedProject.losses).toMatchObject([
    { flag: 'x', environment: 'production', at: '/flags/x/targeting', why, affects: 'values' },
  ])
  expect(importedProject.flags).toMatchObject([
    {
      key: 'x',
      variations: [
        { value: 'A', name: 'a' },
        { value: 'B', name: 'b' },
      ],
    },
  ])
})

it('a case that rules cannot express is omitted, and the next case applies', () => {
  const chain = { if: [{ some: [{ var: 'list' }, true] }, 'a', { in: ['x', { var: 'email' }] }, 'b'] }
  expect(config(read({ x: flag(chain) }))?.rules).toMatchObject([{ variation: 1, clauses: [{ op: 'contains' }] }])
})

it('a flag that only serves the default in code is off', () => {
  expect(config(read({ x: flag(undefined, { defaultVariant: null }) }))?.on).toBe(false)
  expect(config(read({ x: flag(undefined, { state: 'DISABLED' }) }))?.on).toBe(false)
  expect(read({ x: flag(undefined, { defaultVariant: null }) }).losses).toEqual([])
  const withoutDefault = read({ x: flag({ if: [{ '!!': { var: 'a' } }, 'b'] }, { defaultVariant: null }) })
  expect(withoutDefault.losses).toMatchObject([{ what: 'no default variant', affects: 'values' }])
})

it('an invalid flag set is refused with the position of the error', () => {
  const readResult = (value: unknown) => readFlagd([value], {})
  expect(readResult({ flags: { x: { state: 'ENABLED', variants: {} } } })).toMatchObject({ at: '/flags/x/variants' })
  expect(readResult({ flags: { x: flag(undefined, { defaultVariant: 'z' }) } })).toMatchObject({
    at: '/flags/x/defaultVariant',
  })
  expect(readResult({})).toMatchObject({ at: '/flags', reason: 'must be present' })
  expect(readFlagd([{ flags: {} }, {}], {})).toMatchObject({ ok: false, reason: 'must be exactly one flag set' })
})

it('values of several types are wrapped, and unknown properties and metadata are reported or kept', () => {
  const values = read(
    { x: flag(undefined, { variants: { a: 'A', b: 2 }, metadata: { team: 'x', 'a b': 1 }, hue: 3 }) },
    { version: 2 },
  )
  expect(values.flags[0]?.variations?.map(({ value }) => value)).toEqual([{ value: 'A' }, { value: 2 }])
  expect(values.flags[0]?.customProperties).toEqual({ team: { name: 'team', value: ['x'] } })
  expect(values.losses.map(({ what }) => what)).toEqual([
    'property version',
    'property hue',
    'values of several types',
    'metadata a b',
  ])
})
