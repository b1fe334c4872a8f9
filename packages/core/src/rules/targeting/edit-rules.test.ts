import fc from 'fast-check'
import { produce } from 'immer'
import { describe, expect, it } from 'vitest'
import type { Clause } from './clause.ts'
import {
  addClauses,
  addRule,
  addValuesToClause,
  type EditError,
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

const threeRules: readonly Rule[] = [
  { _id: 'a', clauses: [clause('a1'), clause('a2')] },
  { _id: 'b', clauses: [clause('b1', ['x', 'y'])] },
  { _id: 'c', clauses: [] },
]

/** Applies an edit to an Immer draft, so that the test fails if an edit modifies its input. */
function applyEdit(edit: (rules: RuleDraft[]) => EditError | undefined, before: readonly Rule[] = threeRules) {
  let refusal: EditError | undefined
  const rules = produce(before, (draft) => {
    refusal = edit(draft)
  })
  return { rules, ids: rules.map((rule) => rule._id).join(''), refusal }
}

describe('addRule', () => {
  const rule = { _id: 'n', clauses: [] }

  it('adds a rule at the end, or before another rule', () => {
    expect(applyEdit((rules) => addRule(rules, rule)).ids).toBe('abcn')
    expect(applyEdit((rules) => addRule(rules, rule, 'b')).ids).toBe('anbc')
  })

  it('rejects an unknown beforeRuleId', () => {
    const { ids, refusal } = applyEdit((rules) => addRule(rules, rule, 'z'))
    expect(ids).toBe('abc')
    expect(refusal).toEqual({ attribute: 'beforeRuleId', reason: 'must be the id of a rule' })
  })
})

describe('removeRule', () => {
  it('removes a rule, and ignores an unknown id', () => {
    expect(applyEdit((rules) => removeRule(rules, 'b')).ids).toBe('ac')
    expect(applyEdit((rules) => removeRule(rules, 'z'))).toEqual({ rules: threeRules, ids: 'abc', refusal: undefined })
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
        const { rules, refusal } = applyEdit((draft) => reorderRules(draft, order), before)
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
    const { ids, refusal } = applyEdit((rules) => reorderRules(rules, order))
    expect(ids).toBe('abc')
    expect(refusal).toEqual({ attribute: 'ruleIds', reason: 'must contain the id of every rule exactly once' })
  })
})

describe('edits of one rule', () => {
  it('change its description', () => {
    expect(applyEdit((rules) => updateRuleDescription(rules, 'c', 'Staff')).rules[2]).toEqual({
      _id: 'c',
      clauses: [],
      description: 'Staff',
    })
  })

  it('add clauses at its end and remove them, ignoring unknown ids', () => {
    const extended = applyEdit((rules) => addClauses(rules, 'b', [clause('b2'), clause('b3')])).rules
    expect(extended[1]?.clauses.map((clause) => clause._id)).toEqual(['b1', 'b2', 'b3'])
    const reduced = applyEdit((rules) => removeClauses(rules, 'b', ['b3', 'z', 'b1']), extended).rules
    expect(reduced[1]?.clauses.map((clause) => clause._id)).toEqual(['b2'])
  })

  it('replace a clause under the same id', () => {
    const { _id, ...replacement } = { ...clause('other', ['z']), op: 'contains' as const, negate: true }
    const { rules } = applyEdit((draft) => updateClause(draft, { ruleId: 'a', clauseId: 'a1' }, replacement))
    expect(rules[0]?.clauses).toEqual([{ ...replacement, _id: 'a1' }, clause('a2')])
  })

  it('keep the id of a clause when its replacement has another id', () => {
    const { rules } = applyEdit((draft) => updateClause(draft, { ruleId: 'a', clauseId: 'a1' }, clause('stray', ['z'])))
    expect(rules[0]?.clauses[0]).toEqual(clause('a1', ['z']))
  })

  it('add each value once, in order, and remove values, ignoring unknown ones', () => {
    const extended = applyEdit((rules) =>
      addValuesToClause(rules, { ruleId: 'b', clauseId: 'b1' }, ['z', 'x', 'z', 1, '1']),
    ).rules
    expect(extended[1]?.clauses[0]?.values).toEqual(['x', 'y', 'z', 1, '1'])
    const reduced = applyEdit(
      (rules) => removeValuesFromClause(rules, { ruleId: 'b', clauseId: 'b1' }, ['x', '1', 'none']),
      extended,
    ).rules
    expect(reduced[1]?.clauses[0]?.values).toEqual(['y', 'z', 1])
  })

  it.each<[string, (rules: RuleDraft[]) => EditError | undefined]>([
    ['updateRuleDescription', (rules) => updateRuleDescription(rules, 'z', '')],
    ['addClauses', (rules) => addClauses(rules, 'z', [])],
    ['removeClauses', (rules) => removeClauses(rules, 'z', [])],
    ['updateClause', (rules) => updateClause(rules, { ruleId: 'z', clauseId: 'a1' }, clause('a1'))],
    ['addValuesToClause', (rules) => addValuesToClause(rules, { ruleId: 'z', clauseId: 'a1' }, [])],
    ['removeValuesFromClause', (rules) => removeValuesFromClause(rules, { ruleId: 'z', clauseId: 'a1' }, [])],
  ])('%s rejects an unknown rule id', (_, edit) => {
    expect(applyEdit(edit)).toEqual({
      rules: threeRules,
      ids: 'abc',
      refusal: { attribute: 'ruleId', reason: 'must be the id of a rule' },
    })
  })

  it.each<[string, (rules: RuleDraft[]) => EditError | undefined]>([
    ['updateClause', (rules) => updateClause(rules, { ruleId: 'a', clauseId: 'b1' }, clause('b1'))],
    ['addValuesToClause', (rules) => addValuesToClause(rules, { ruleId: 'a', clauseId: 'b1' }, [])],
    ['removeValuesFromClause', (rules) => removeValuesFromClause(rules, { ruleId: 'a', clauseId: 'b1' }, [])],
  ])('%s rejects the id of a clause of another rule', (_, edit) => {
    const { rules, refusal } = applyEdit(edit)
    expect(rules).toBe(threeRules)
    expect(refusal).toEqual({ attribute: 'clauseId', reason: 'must be the id of a clause of the rule' })
  })
})
