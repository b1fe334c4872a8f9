import { compilePolicy, compileRole, decide, parseAddress, type Resource, type Statement } from '@halyard/core/policy'
import { expect, it } from 'vitest'
import { policyCoverage } from './coverage.ts'

const view: Statement = { effect: 'allow', resources: ['proj/*'], actions: ['viewProject'] }
const update: Statement = { effect: 'allow', resources: ['proj/*:env/*:flag/*'], actions: ['update*'] }
const denyRest: Statement = { effect: 'deny', notResources: ['proj/*:env/test:flag/*'], notActions: ['viewProject'] }
const policy = [view, update, denyRest]
const flag = 'proj/web:env/test:flag/checkout'

function decideOnce(statements: readonly Statement[], name: string, action: string, address: string) {
  const compiledPolicy = compilePolicy([compileRole({ name, statements })])
  return decide(compiledPolicy, action, parseAddress(address) as Resource)
}

it('policyCoverage lists the statements that decided nothing', () => {
  const coverage = policyCoverage({ name: 'ops', policy })
  expect(coverage.untested().map(({ index }) => index)).toEqual([0, 1, 2])
  coverage.record(decideOnce(policy, 'ops', 'updateOn', flag))
  expect(coverage.untested()).toEqual([
    { role: 'ops', index: 0, statement: view, decisions: 0 },
    { role: 'ops', index: 2, statement: denyRest, decisions: 0 },
  ])
  coverage.record(decideOnce(policy, 'ops', 'viewProject', 'proj/web'))
  coverage.record(decideOnce(policy, 'ops', 'deleteTeam', 'team/a'))
  expect(coverage.untested()).toEqual([])
})

it('policyCoverage does not count default denials and decisions of other policies', () => {
  const coverage = policyCoverage(policy)
  coverage.record(decideOnce([update], 'other', 'updateOn', flag))
  coverage.record(decideOnce([], 'policy', 'updateOn', flag))
  coverage.record(decideOnce([view, { ...update, actions: ['*'] }], 'policy', 'updateOn', flag))
  expect(coverage.untested()).toHaveLength(3)
})

it('policyCoverage recognizes a statement that was stored, whatever the name of its role', () => {
  const coverage = policyCoverage({ name: 'ops', policy })
  const stored: Statement[] = JSON.parse(JSON.stringify(policy.map((statement) => ({ notActions: [], ...statement }))))
  coverage.record(decideOnce(stored, 'ops-of-the-account', 'updateOn', flag))
  expect(coverage.untested().map(({ index }) => index)).toEqual([0, 2])
})

it('policyCoverage distinguishes roles with equal statements', () => {
  const coverage = policyCoverage([
    { name: 'one', policy },
    { name: 'two', policy },
  ])
  coverage.record(decideOnce(policy, 'two', 'updateOn', flag))
  expect(coverage.untested().filter(({ index }) => index === 1)).toMatchObject([{ role: 'one' }])
})

it('policyCoverage reports the number of decisions of each statement as text', () => {
  const coverage = policyCoverage({ name: 'ops', policy })
  for (let i = 0; i < 12; i++) coverage.record(decideOnce(policy, 'ops', 'updateOn', flag))
  coverage.record(decideOnce(policy, 'ops', 'updateTeamName', 'team/a'))
  expect(coverage.report()).toBe(
    [
      '2 of 3 statements decided in tests',
      '  UNTESTED  statement 1 of ops: allow viewProject on proj/*',
      '       12x  statement 2 of ops: allow update* on proj/*:env/*:flag/*',
      '        1x  statement 3 of ops: deny all but viewProject on all but proj/*:env/test:flag/*',
    ].join('\n'),
  )
})

it('policyCoverage throws a TypeError for a statement that is not well-formed', () => {
  expect(() => policyCoverage([{ effect: 'allow', resources: ['nowhere/*'], actions: ['*'] }])).toThrow(TypeError)
})
