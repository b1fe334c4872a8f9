import { expect, it } from 'vitest'
import type { RuleDraft, TargetingDraft } from './draft.ts'
import { mergeDrafts } from './merge-drafts.ts'

const rule = (id: string, description = ''): RuleDraft => ({
  id,
  _id: id,
  description,
  clauses: [],
  serve: { variationId: 'a' },
})

const base: TargetingDraft = {
  on: false,
  offVariationId: 'b',
  fallthrough: { variationId: 'a' },
  targets: [],
  prerequisites: [],
  rules: [rule('1'), rule('2')],
}

it('mergeDrafts keeps the changes of both people when they changed different parts', () => {
  const yours = { ...base, on: true }
  const theirs = { ...base, offVariationId: 'a', fallthrough: { variationId: 'b' } }
  expect(mergeDrafts({ base, yours, theirs })).toEqual({ merged: { ...theirs, on: true }, conflicts: [] })
})

it('mergeDrafts keeps the changes of different rules, and an added rule', () => {
  const yours = { ...base, rules: [rule('1', 'mine'), rule('2')] }
  const theirs = { ...base, rules: [rule('new'), rule('1'), rule('2', 'other')] }
  const { merged, conflicts } = mergeDrafts({ base, yours, theirs })
  expect(conflicts).toEqual([])
  expect(merged.rules).toEqual([rule('new'), rule('1', 'mine'), rule('2', 'other')])
})

it('mergeDrafts reports a part that both people changed in different ways with its three versions', () => {
  const yours = { ...base, fallthrough: { variationId: 'b' } }
  const theirs = { ...base, fallthrough: { variationId: 'c' } }
  const { merged, conflicts } = mergeDrafts({ base, yours, theirs })
  expect(conflicts).toEqual([
    { part: 'fallthrough', base: base.fallthrough, yours: yours.fallthrough, theirs: theirs.fallthrough },
  ])
  expect(merged.fallthrough).toEqual(theirs.fallthrough)
  expect(mergeDrafts({ base, yours, theirs }, { fallthrough: 'yours' }).merged.fallthrough).toEqual(yours.fallthrough)
})

it.each([
  ['both people changed', [rule('1', 'mine'), rule('2')], [rule('1', 'other'), rule('2')]],
  ['one person changed and the other removed', [rule('1', 'mine'), rule('2')], [rule('2')]],
  ['both people moved or added', [rule('2'), rule('1')], [rule('1'), rule('2'), rule('3')]],
])('mergeDrafts reports rules that %s', (_, yours, theirs) => {
  const { conflicts } = mergeDrafts({ base, yours: { ...base, rules: yours }, theirs: { ...base, rules: theirs } })
  expect(conflicts.map(({ part }) => part)).toEqual(['rules'])
})

it('mergeDrafts reports no conflict when both people made the same change', () => {
  const changed = { ...base, on: true, rules: [rule('2')] }
  expect(mergeDrafts({ base, yours: changed, theirs: structuredClone(changed) })).toEqual({
    merged: changed,
    conflicts: [],
  })
})
