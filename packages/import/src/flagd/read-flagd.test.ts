import { expect, it } from 'vitest'
import type { MovedProject } from '../moved-project.ts'
import { readFlagd } from './read-flagd.ts'

function read(flags: object, more: object = {}): MovedProject {
  const result = readFlagd([{ flags, ...more }], {})
  if (!result.ok) throw new Error(`${result.at} ${result.reason}`)
  return result.moved
}

const flag = (targeting: object | undefined, more: object = {}) => ({
  state: 'ENABLED',
  variants: { a: 'A', b: 'B' },
  defaultVariant: 'a',
  ...(targeting ? { targeting } : {}),
  ...more,
})

const config = (moved: MovedProject) => moved.flags[0]?.configs.production

it('says a chain as rules, and what is left as the default rule', () => {
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
  ['an operation', { if: [{ '+': [1, 2] }, 'b'] }, 'rules have nothing like +'],
  [
    'two attributes',
    { if: [{ '==': [{ var: 'a' }, { var: 'b' }] }, 'b'] },
    'a clause compares with a value, not with another attribute',
  ],
  ['an order of texts', { if: [{ '<': [{ var: 'a' }, 'm'] }, 'b'] }, 'texts are not put in order by rules'],
  ['an item of a list', { if: [{ '==': [{ var: 'a.0' }, 'm'] }, 'b'] }, 'rules cannot compare {"var":"a.0"}'],
  ['a default', { if: [{ '==': [{ var: ['a', 'x'] }, 'm'] }, 'b'] }, 'rules cannot compare {"var":["a","x"]}'],
  ['a name of its own here', { if: [{ '==': [{ var: 'kind' }, 'm'] }, 'b'] }, 'rules cannot compare {"var":"kind"}'],
  [
    'weights that are reckoned',
    {
      fractional: [
        ['a', { var: 'n' }],
        ['b', 1],
      ],
    },
    'the buckets of fractional are neither names nor weights',
  ],
  ['the clock', { if: [{ '<': [{ var: '$flagd.timestamp' }, 5] }, 'b'] }, 'rules have no clock'],
  [
    'no such variant',
    { if: [{ '==': [{ var: 'a' }, 'x'] }, 'z'] },
    'the flag has none of that name, and asking for it is an error',
  ],
])('tells of %s', (_, targeting, why) => {
  const moved = read({ x: flag(targeting) })
  expect(moved.losses).toMatchObject([
    { flag: 'x', environment: 'production', at: '/flags/x/targeting', why, affects: 'values' },
  ])
  expect(moved.flags).toMatchObject([
    {
      key: 'x',
      variations: [
        { value: 'A', name: 'a' },
        { value: 'B', name: 'b' },
      ],
    },
  ])
})

it('leaves out a case that cannot be said, and goes on with the next', () => {
  const chain = { if: [{ some: [{ var: 'list' }, true] }, 'a', { in: ['x', { var: 'email' }] }, 'b'] }
  expect(config(read({ x: flag(chain) }))?.rules).toMatchObject([{ variation: 1, clauses: [{ op: 'contains' }] }])
})

it('is off where nothing but the default in code is served', () => {
  expect(config(read({ x: flag(undefined, { defaultVariant: null }) }))?.on).toBe(false)
  expect(config(read({ x: flag(undefined, { state: 'DISABLED' }) }))?.on).toBe(false)
  expect(read({ x: flag(undefined, { defaultVariant: null }) }).losses).toEqual([])
  const half = read({ x: flag({ if: [{ '!!': { var: 'a' } }, 'b'] }, { defaultVariant: null }) })
  expect(half.losses).toMatchObject([{ what: 'no default variant', affects: 'values' }])
})

it('names what is not as expected', () => {
  const said = (value: unknown) => readFlagd([value], {})
  expect(said({ flags: { x: { state: 'ENABLED', variants: {} } } })).toMatchObject({ at: '/flags/x/variants' })
  expect(said({ flags: { x: flag(undefined, { defaultVariant: 'z' }) } })).toMatchObject({
    at: '/flags/x/defaultVariant',
  })
  expect(said({})).toMatchObject({ at: '/flags', reason: 'must be there' })
  expect(readFlagd([{ flags: {} }, {}], {})).toMatchObject({ ok: false, reason: 'must be one flag set' })
})

it('keeps values of several types, members that nobody knows and metadata in sight', () => {
  const values = read(
    { x: flag(undefined, { variants: { a: 'A', b: 2 }, metadata: { team: 'x', 'a b': 1 }, hue: 3 }) },
    { version: 2 },
  )
  expect(values.flags[0]?.variations?.map(({ value }) => value)).toEqual([{ value: 'A' }, { value: 2 }])
  expect(values.flags[0]?.customProperties).toEqual({ team: { name: 'team', value: ['x'] } })
  expect(values.losses.map(({ what }) => what)).toEqual([
    'member version',
    'member hue',
    'values of several types',
    'metadata a b',
  ])
})
