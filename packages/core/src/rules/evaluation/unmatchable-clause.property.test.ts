import fc from 'fast-check'
import { expect, it } from 'vitest'
import { clauseOperators } from '../targeting/clause.ts'
import { evaluate } from './evaluate.ts'
import type { ClauseData } from './flag-data.ts'
import { re2Pattern } from './re2-pattern.ts'
import { compileRuleset } from './ruleset.ts'
import { unmatchableReason } from './unmatchable-clause.ts'

/** Texts of every kind that some operator reads: patterns, dates, versions and others. */
const texts = [
  ...['', 'a', 'beta', '('],
  // RE2 has no lookarounds, and RegExp never searches for repeated groups.
  ...['^b.t', '[a', '(a|b)+', '(?=a)(a)+', 'a{2,1}'],
  ...['2024-05-01T00:00:00Z', '2024-05-01T00:00:00.5-02', '2024-05-01', 'not a date', '2024-13-01T00:00:00Z'],
  ...['1.2.3', '2', '1.0.0-rc.1', 'x.y', '01.0.0', '0.0.0-0', '9007199254740991.9007199254740991.9007199254740991'],
]

const value = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...texts) },
  { weight: 1, arbitrary: fc.constantFrom(0, 18, -1.5, 1_714_521_600_000) },
  { weight: 1, arbitrary: fc.boolean() },
)

const clause: fc.Arbitrary<ClauseData> = fc.record({
  contextKind: fc.constantFrom('user', 'org'),
  attribute: fc.constantFrom('size', 'size', 'size', '/address/city', '', '/', '/a//b', '/a~2', '_meta', '/_meta/x'),
  op: fc.constantFrom(...clauseOperators),
  values: fc.array(value, { maxLength: 2 }),
  negate: fc.boolean(),
})

/**
 * Attribute values that are tried until a clause matches one: the values of clauses, and values before and after all of
 * these.
 */
const candidates: readonly unknown[] = [
  ...texts,
  ...[-1e300, -2, -1.5, 0, 18, 19, 1_714_521_600_000, 1e300, true, false],
  ...['0000-01-01T00:00:00Z', '9999-12-31T00:00:00Z', '0.0.0-0.a', '1.2.4', '9007199254740991.0.0', 'aa', 'ab'],
]

/** Searches for a context that matches the only rule of a flag, which consists of this clause. */
function findWitness(data: ClauseData): unknown {
  const segments = (data.values ?? [])
    .filter((key): key is string => typeof key === 'string' && key !== '')
    .map((key) => ({ key, includedContexts: [{ contextKind: data.contextKind ?? 'user', values: ['k'] }] }))
  const rules = [{ clauses: [data], variation: 0 }]
  const flag = { key: 'f', on: true, variations: [true, false], rules, fallthrough: { variation: 1 } }
  const ruleset = compileRuleset({ flags: [flag], segments, compilePattern: re2Pattern })
  return candidates.find((candidate) =>
    ['k', 'in no segment'].some((key) => {
      const context = { kind: data.contextKind ?? 'user', key, size: candidate, address: { city: candidate } }
      return evaluate(ruleset, 'f', context as never).reason.kind === 'RULE_MATCH'
    }),
  )
}

it('unmatchableReason returns a reason exactly when no context matches the clause', () => {
  const verdicts = { matchable: 0, unmatchable: 0 }
  fc.assert(
    fc.property(clause, (data) => {
      const isMatchable = findWitness(data) !== undefined
      verdicts[isMatchable ? 'matchable' : 'unmatchable']++
      expect(unmatchableReason(data) === undefined, JSON.stringify(data)).toBe(isMatchable)
    }),
    { numRuns: 4_000 },
  )
  expect(Math.min(...Object.values(verdicts)), JSON.stringify(verdicts)).toBeGreaterThan(500)
})

it.each(clauseOperators)('unmatchableReason is correct for each single value of %s', (op) => {
  for (const single of [...texts, 0, 18, true, false]) {
    for (const negate of [false, true]) {
      const data = { contextKind: 'user', attribute: 'size', op, values: [single], negate }
      expect([data, unmatchableReason(data) === undefined]).toEqual([data, findWitness(data) !== undefined])
    }
  }
})
