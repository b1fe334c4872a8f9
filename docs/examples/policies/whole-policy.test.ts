import assert from 'node:assert/strict'
import test from 'node:test'
import type { Statement } from '@halyard/core/policy'
import { createTestEngine, diffPolicies, expectPolicy, lintPolicy, policyCoverage, resourcesOf } from '@halyard/testing'
import { developer, releaser, support } from './policies.ts'

// #region coverage
test('every statement is tested', () => {
  const coverage = policyCoverage(developer)
  expectPolicy(developer, { coverage })
    .can('viewProject', 'proj/shop')
    .can('updateOn', 'proj/shop:env/test:flag/*')
    .cannot('updateOn', 'proj/shop:env/production:flag/billing-vat')
  assert.deepEqual(coverage.untested(), [], coverage.report())
})
// #endregion

// #region lint
test('the linter finds a statement about flags that do not exist', async () => {
  const engine = await createTestEngine()
  await engine.given.project('shop')
  await engine.given.flag('shop', 'checkout')
  const [finding] = lintPolicy(developer, { allResources: await resourcesOf(engine) })
  assert.equal(finding?.rule, 'matches-nothing')
  assert.match(finding.message, /flag\/billing-\*/)
})

test('the linter warns about a right that depends on a tag', () => {
  const [finding] = lintPolicy(support)
  assert.equal(finding?.rule, 'tag-widens')
})
// #endregion

// #region diff
test('the correction removes rights to production and nothing else', () => {
  const corrected: Statement[] = [
    { effect: 'allow', resources: ['proj/shop:env/*:flag/*'], actions: ['updateOn'] },
    { effect: 'deny', resources: ['proj/shop:env/production:flag/*'], actions: ['updateOn'] },
  ]
  const resources = ['proj/shop:env/test:flag/checkout', 'proj/shop:env/production:flag/checkout']
  const { allowed, denied } = diffPolicies(releaser, corrected, { resources })
  assert.deepEqual(allowed, [])
  assert.deepEqual(denied, [{ actions: ['updateOn'], resources: ['proj/shop:env/production:flag/checkout'] }])
})
// #endregion
