import { describe, expect, it } from 'vitest'
import type { Clause } from './clause.ts'
import { rulesWithoutSegment } from './rules-without-segment.ts'

const clause = (op: Clause['op'], values: string[], negate = false): Clause => ({
  _id: values.join(),
  attribute: op === 'segmentMatch' ? '' : 'country',
  op,
  values,
  negate,
  contextKind: 'user',
})
const rule = (...clauses: Clause[]) => ({ _id: 'rule', clauses })

describe('rules without a segment', () => {
  it('lose a rule that only members of the segment match', () => {
    expect(rulesWithoutSegment([rule(clause('segmentMatch', ['beta']), clause('in', ['NL']))], 'beta')).toEqual([])
  })

  it('keep the other segments of a condition', () => {
    const rules = rulesWithoutSegment([rule(clause('segmentMatch', ['beta', 'staff']))], 'beta')
    expect(rules.map(({ clauses }) => clauses.map(({ values }) => values))).toEqual([[['staff']]])
  })

  it('keep a rule, but remove its condition that a context is not in the segment', () => {
    const rules = rulesWithoutSegment([rule(clause('segmentMatch', ['beta'], true), clause('in', ['NL']))], 'beta')
    expect(rules.map(({ clauses }) => clauses.map(({ op }) => op))).toEqual([['in']])
  })

  it('keep conditions on attributes whose value is the key of the segment', () => {
    const rules = [rule(clause('in', ['beta']))]
    expect(rulesWithoutSegment(rules, 'beta')).toEqual(rules)
  })
})
