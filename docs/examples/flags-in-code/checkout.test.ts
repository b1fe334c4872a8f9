// #region test
import assert from 'node:assert/strict'
import test from 'node:test'
import { connectFlags, type FlagsOf, forceFlags } from '@halyard/core/flags'
import { checkoutSteps, checkoutTitle } from './checkout.ts'
import { flags } from './flags.ts'

test('the new checkout has one step', async () => {
  await connectFlags(flags, forceFlags<FlagsOf<typeof flags>>({ checkout: true }))
  assert.deepEqual(checkoutSteps({ key: 'ann' }), ['pay'])
})
// #endregion

// #region openfeature
import { createHalyardProvider } from '@halyard/openfeature'
import { OpenFeature } from '@openfeature/server-sdk'

test('the new checkout has a title', async () => {
  await OpenFeature.setProviderAndWait(createHalyardProvider(forceFlags({ checkout: true })))
  assert.equal(await checkoutTitle({ key: 'ann' }), 'Pay now')
  await OpenFeature.close()
})
// #endregion

// #region engine
import { createTestEngine } from '@halyard/testing'

test('a forced flag leaves the other flags of an engine as they are', async () => {
  const engine = await createTestEngine()
  await engine.given.project('shop')
  await engine.given.flag('shop', 'banner')
  const evaluator = engine.evaluator({ projectKey: 'shop', environmentKey: 'production' })
  await connectFlags(flags, forceFlags({ checkout: true }, evaluator))
  assert.deepEqual(checkoutSteps({ key: 'ann' }), ['pay'])
  await engine.close()
})
// #endregion
