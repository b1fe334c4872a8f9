import { compileRuleset, evaluate } from '@halyard/core/evaluation'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { userClause } from './clause.ts'
import { compileCondition } from './compile-condition.ts'
import { all, any, type Condition, holds, not } from './condition.ts'
import { createSegmentPool } from './segment-pool.ts'

/** A formula, and whether it is true for the attributes that a context has. */
interface Formula {
  readonly condition: Condition
  readonly isTrue: (names: ReadonlySet<string>) => boolean
}

const names = ['a', 'b', 'c', 'd'] as const

const formula: fc.Arbitrary<Formula> = fc.letrec<{ any: Formula }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    fc.constantFrom(...names).map((name) => ({
      condition: holds(userClause(name, 'in', [1])),
      isTrue: (there: ReadonlySet<string>) => there.has(name),
    })),
    fc.array(tie('any'), { maxLength: 4 }).map((parts) => ({
      condition: all(...parts.map((part) => part.condition)),
      isTrue: (there: ReadonlySet<string>) => parts.every((part) => part.isTrue(there)),
    })),
    fc.array(tie('any'), { maxLength: 4 }).map((parts) => ({
      condition: any(...parts.map((part) => part.condition)),
      isTrue: (there: ReadonlySet<string>) => parts.some((part) => part.isTrue(there)),
    })),
    tie('any').map((part) => ({
      condition: not(part.condition),
      isTrue: (there: ReadonlySet<string>) => !part.isTrue(there),
    })),
  ),
})).any

/** Every subset of the names. */
const worlds = Array.from(
  { length: 2 ** names.length },
  (_, bits) => new Set(names.filter((_, at) => bits & (1 << at))),
)

it('rules and segments express any condition, also when attributes are missing', () => {
  fc.assert(
    fc.property(formula, ({ condition, isTrue }) => {
      const pool = createSegmentPool('test')
      const rules = compileCondition(condition, pool).map((clauses) => ({ clauses, variation: 0 }))
      const flag = { key: 'flag', on: true, variations: [true, false], rules, fallthrough: { variation: 1 } }
      const ruleset = compileRuleset({ flags: [flag], segments: pool.made() })
      for (const there of worlds) {
        const context = { kind: 'user', key: 'ann', ...Object.fromEntries([...there].map((name) => [name, 1])) }
        expect(evaluate(ruleset, 'flag', context).value).toBe(isTrue(there))
      }
    }),
    { numRuns: 500 },
  )
})

it('a condition that occurs twice becomes one segment', () => {
  const pool = createSegmentPool('test')
  const once = not(holds(userClause('country', 'in', ['de'])))
  expect(compileCondition(once, pool)).toEqual(compileCondition(all(once, any(once)), pool).map(([first]) => [first]))
  expect(pool.made()).toMatchObject([{ name: 'country in de', rules: [{ clauses: [{ attribute: 'country' }] }] }])
})
