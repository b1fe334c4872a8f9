import fc from 'fast-check'
import { produce } from 'immer'
import { describe, expect, it } from 'vitest'
import type { Clause } from './clause.ts'
import {
  addClauses,
  addRule,
  addValuesToClause,
  type Refusal,
  type RuleDraft,
  removeClauses,
  removeRule,
  removeValuesFromClause,
  reorderRules,
  updateClause,
  updateRuleDescription,
} from './edit-rules.ts'
import type { Rule } from './rule.ts'

const clause = (_id: string, values: readonly string[] = ['x']): Clause => ({
  _id,
  attribute: 'email',
  op: 'in',
  values,
  negate: false,
  contextKind: 'user',
})

const three: readonly Rule[] = [
  { _id: 'a', clauses: [clause('a1'), clause('a2')] },
  { _id: 'b', clauses: [clause('b1', ['x', 'y'])] },
  { _id: 'c', clauses: [] },
]

/** Applies an edit to an Immer draft, so that the test fails if an edit modifies its input. */
function edited(edit: (rules: RuleDraft[]) => Refusal | undefined, before: readonly Rule[] = three) {
  let refusal: Refusal | undefined
  const rules = produce(before, (draft) => {
    refusal = edit(draft)
  })
  return { rules, ids: rules.map((rule) => rule._id).join(''), refusal }
}

describe('addRule', () => {
  const rule = { _id: 'n', clauses: [] }

  it('adds a rule at the end, or before another rule', () => {
    expect(edited((rules) => addRule(rules, rule)).ids).toBe('abcn')
    expect(edited((rules) => addRule(rules, rule, 'b')).ids).toBe('anbc')
  })

  it('rejects an unknown beforeRuleId', () => {
    const { ids, refusal } = edited((rules) => addRule(rules, rule, 'z'))
    expect(ids).toBe('abc')
    expect(refusal).toEqual({ attribute: 'beforeRuleId', reason: 'must be the id of a rule' })
  })
})

describe('removeRule', () => {
  it('removes a rule, and ignores an unknown id', () => {
    expect(edited((rules) => removeRule(rules, 'b')).ids).toBe('ac')
    expect(edited((rules) => removeRule(rules, 'z'))).toEqual({ rules: three, ids: 'abc', refusal: undefined })
  })
})

describe('reorderRules', () => {
  const ids = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 3 }), { maxLength: 12 })

  it('puts the rules into the order of the ids, and changes no rule', () => {
    const permutation = ids.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length, maxLength: list.length })),
    )
    fc.assert(
      fc.property(permutation, ([list, order]) => {
        const before = list.map((_id) => ({ _id, clauses: [clause(`${_id}1`)] }))
        const { rules, refusal } = edited((draft) => reorderRules(draft, order), before)
        expect(refusal).toBeUndefined()
        expect(rules).toEqual(order.map((id) => before.find((rule) => rule._id === id)))
      }),
    )
  })

  it.each([
    ['one rule is missing', ['a', 'b']],
    ['one rule is unknown', ['a', 'b', 'z']],
    ['one rule is repeated and another is missing', ['a', 'b', 'b']],
    ['one rule is repeated', ['a', 'b', 'c', 'c']],
  ])('rejects an order in which %s', (_, order) => {
    const { ids: left, refusal } = edited((rules) => reorderRules(rules, order))
    expect(left).toBe('abc')
    expect(refusal).toEqual({ attribute: 'ruleIds', reason: 'must contain the id of every rule exactly once' })
  })
})

describe('edits of one rule', () => {
  it('change its description', () => {
    expect(edited((rules) => updateRuleDescription(rules, 'c', 'Staff')).rules[2]).toEqual({
      _id: 'c',
      clauses: [],
      description: 'Staff',
    })
  })

  it('add clauses at its end and remove them, ignoring unknown ids', () => {
    const grown = edited((rules) => addClauses(rules, 'b', [clause('b2'), clause('b3')])).rules
    expect(grown[1]?.clauses.map((one) => one._id)).toEqual(['b1', 'b2', 'b3'])
    const shrunk = edited((rules) => removeClauses(rules, 'b', ['b3', 'z', 'b1']), grown).rules
    expect(shrunk[1]?.clauses.map((one) => one._id)).toEqual(['b2'])
  })

  it('replace a clause under the same id', () => {
    const { _id, ...other } = { ...clause('other', ['z']), op: 'contains' as const, negate: true }
    const { rules } = edited((draft) => updateClause(draft, 'a', 'a1', other))
    expect(rules[0]?.clauses).toEqual([{ ...other, _id: 'a1' }, clause('a2')])
  })

  it('keep the id of a clause when its replacement has another id', () => {
    const { rules } = edited((draft) => updateClause(draft, 'a', 'a1', clause('stray', ['z'])))
    expect(rules[0]?.clauses[0]).toEqual(clause('a1', ['z']))
  })

  it('add each value once, in order, and remove values, ignoring unknown ones', () => {
    const grown = edited((rules) => addValuesToClause(rules, 'b', 'b1', ['z', 'x', 'z', 1, '1'])).rules
    expect(grown[1]?.clauses[0]?.values).toEqual(['x', 'y', 'z', 1, '1'])
    const shrunk = edited((rules) => removeValuesFromClause(rules, 'b', 'b1', ['x', '1', 'none']), grown).rules
    expect(shrunk[1]?.clauses[0]?.values).toEqual(['y', 'z', 1])
  })

  it.each<[string, (rules: RuleDraft[]) => Refusal | undefined]>([
    ['updateRuleDescription', (rules) => updateRuleDescription(rules, 'z', '')],
    ['addClauses', (rules) => addClauses(rules, 'z', [])],
    ['removeClauses', (rules) => removeClauses(rules, 'z', [])],
    ['updateClause', (rules) => updateClause(rules, 'z', 'a1', clause('a1'))],
    ['addValuesToClause', (rules) => addValuesToClause(rules, 'z', 'a1', [])],
    ['removeValuesFromClause', (rules) => removeValuesFromClause(rules, 'z', 'a1', [])],
  ])('%s rejects an unknown rule id', (_, edit) => {
    expect(edited(edit)).toEqual({
      rules: three,
      ids: 'abc',
      refusal: { attribute: 'ruleId', reason: 'must be the id of a rule' },
    })
  })

  it.each<[string, (rules: RuleDraft[]) => Refusal | undefined]>([
    ['updateClause', (rules) => updateClause(rules, 'a', 'b1', clause('b1'))],
    ['addValuesToClause', (rules) => addValuesToClause(rules, 'a', 'b1', [])],
    ['removeValuesFromClause', (rules) => removeValuesFromClause(rules, 'a', 'b1', [])],
  ])('%s rejects the id of a clause of another rule', (_, edit) => {
    const { rules, refusal } = edited(edit)
    expect(rules).toBe(three)
    expect(refusal).toEqual({ attribute: 'clauseId', reason: 'must be the id of a clause of the rule' })
  })
})
