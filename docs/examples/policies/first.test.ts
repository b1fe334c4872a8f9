import test from 'node:test'
import { expectPolicy } from '@halyard/testing'
import { releaser } from './policies.ts'

test('releasers keep away from production', () => {
  expectPolicy(releaser)
    .can('updateOn', 'proj/shop:env/staging:flag/*')
    .cannot('updateOn', 'proj/shop:env/production:flag/*')
})
