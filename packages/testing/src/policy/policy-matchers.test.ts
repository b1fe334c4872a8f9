import type { Statement } from '@halyard/core/policy'
import { describe, expect, it } from 'vitest'
import { policyMatchers } from '../index.ts'

expect.extend(policyMatchers)

const tester = {
  name: 'tester',
  policy: [
    { effect: 'allow', resources: ['proj/web:env/test:flag/*'], actions: ['updateOn'] },
    { effect: 'deny', resources: ['proj/web:env/test:flag/billing-*'], actions: ['*'] },
    { effect: 'allow', resources: ['proj/web:env/test:segment/*;beta'], actions: ['updateRules'] },
  ],
} satisfies { name: string; policy: Statement[] }

describe('toAllow', () => {
  it('passes when the action is allowed; for `*`, only when it is allowed on all resources', () => {
    expect(tester).toAllow('updateOn', 'proj/web:env/test:flag/checkout')
    expect(tester).not.toAllow('updateOn', 'proj/web:env/test:flag/billing-vat')
    expect(tester).not.toAllow('updateOn', 'proj/web:env/test:flag/*')
  })

  it('fails with the reason', () => {
    expect(() => expect(tester).toAllow('updateOn', 'proj/web:env/test:flag/billing-vat')).toThrow(
      /`tester` should allow `updateOn` on `proj\/web:env\/test:flag\/billing-vat`\n {2}but denied by statement 2/,
    )
  })

  it('fails with the reason when negated', () => {
    expect(() => expect(tester).not.toAllow('updateOn', 'proj/web:env/test:flag/checkout')).toThrow(
      /`tester` should not allow `updateOn`.*\n {2}but statement 1 of role `tester` allows/,
    )
  })
})

describe('toDeny', () => {
  it('passes when the action is denied; for `*`, only when it is denied on all resources', () => {
    expect(tester).toDeny('updateOn', 'proj/web:env/test:flag/billing-vat')
    expect(tester).toDeny('deleteFlag', 'proj/web:env/test:flag/*')
    expect(tester).not.toDeny('updateOn', 'proj/web:env/test:flag/*')
  })

  it('fails with the reason', () => {
    expect(() => expect(tester).toDeny('updateOn', 'proj/web:env/test:flag/*')).toThrow(
      /should not allow `updateOn` on any `proj\/web:env\/test:flag\/\*`\n {2}but statement 1 of role `tester` allows/,
    )
    expect(() => expect(tester).not.toDeny('deleteFlag', 'proj/web:env/test:flag/a')).toThrow('no role allows')
  })
})

it('policyMatchers accept resource attributes, several policies, role attributes and coverage', () => {
  const attributePolicy: Statement[] = [
    { effect: 'allow', resources: ['proj/${roleAttribute/project}:env/*:flag/*'], actions: ['updateOn'] },
  ]
  const decisiveIndexes: (number | undefined)[] = []
  const coverage = { record: ({ index }: { index?: number }) => void decisiveIndexes.push(index) }
  expect(tester).toAllow('updateRules', 'proj/web:env/test:segment/staff', { tags: ['beta'], coverage })
  expect(tester).toDeny('updateRules', 'proj/web:env/test:segment/staff', { coverage })
  expect([tester, attributePolicy]).toAllow('updateOn', 'proj/shop:env/test:flag/a', {
    roleAttributes: { project: ['shop'] },
  })
  expect(decisiveIndexes).toEqual([2, undefined])
})

it('policyMatchers throw a TypeError for an invalid query, also when negated', () => {
  expect(() => expect(tester).not.toAllow('updateOnn', 'proj/web:env/test:flag/a')).toThrow(TypeError)
  expect(() => expect('tester').toDeny('updateOn', 'proj/web:env/test:flag/a')).toThrow('not a policy')
})
