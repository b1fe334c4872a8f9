import { compileRuleset, evaluate } from '@halyard/core/evaluation'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { userClause } from './clause.ts'
import { compileCondition } from './compile-condition.ts'
import { all, any, type Condition, clauseCondition, not } from './condition.ts'
import { createSegmentPool } from './segment-pool.ts'

/** A formula, with a function that evaluates the formula for the attributes of a context. */
interface Formula {
  readonly condition: Condition
  readonly isTrue: (names: ReadonlySet<string>) => boolean
}

const names = ['a', 'b', 'c', 'd'] as const

const formula: fc.Arbitrary<Formula> = fc.letrec<{ any: Formula }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    fc.constantFrom(...names).map((name) => ({
      condition: clauseCondition(userClause(name, 'in', [1])),
      isTrue: (present: ReadonlySet<string>) => present.has(name),
    })),
    fc.array(tie('any'), { maxLength: 4 }).map((parts) => ({
      condition: all(...parts.map((part) => part.condition)),
      isTrue: (present: ReadonlySet<string>) => parts.every((part) => part.isTrue(present)),
    })),
    fc.array(tie('any'), { maxLength: 4 }).map((parts) => ({
      condition: any(...parts.map((part) => part.condition)),
      isTrue: (present: ReadonlySet<string>) => parts.some((part) => part.isTrue(present)),
    })),
    tie('any').map((part) => ({
      condition: not(part.condition),
      isTrue: (present: ReadonlySet<string>) => !part.isTrue(present),
    })),
  ),
})).any

/** Every subset of the names. */
const presentSets = Array.from(
  { length: 2 ** names.length },
  (_, bits) => new Set(names.filter((_, index) => bits & (1 << index))),
)

it('rules and segments express any condition, also when attributes are missing', () => {
  fc.assert(
    fc.property(formula, ({ condition, isTrue }) => {
      const pool = createSegmentPool('test')
      const rules = compileCondition(condition, pool).map((clauses) => ({ clauses, variation: 0 }))
      const flag = { key: 'flag', on: true, variations: [true, false], rules, fallthrough: { variation: 1 } }
      const ruleset = compileRuleset({ flags: [flag], segments: pool.segments() })
      for (const present of presentSets) {
        const context = { kind: 'user', key: 'ann', ...Object.fromEntries([...present].map((name) => [name, 1])) }
        expect(evaluate(ruleset, 'flag', context).value).toBe(isTrue(present))
      }
    }),
    { numRuns: 500 },
  )
})

it('a condition that occurs twice becomes one segment', () => {
  const pool = createSegmentPool('test')
  const condition = not(clauseCondition(userClause('country', 'in', ['de'])))
  expect(compileCondition(condition, pool)).toEqual(
    compileCondition(all(condition, any(condition)), pool).map(([first]) => [first]),
  )
  expect(pool.segments()).toMatchObject([{ name: 'country in de', rules: [{ clauses: [{ attribute: 'country' }] }] }])
})
