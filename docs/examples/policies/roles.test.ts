import test from 'node:test'
import { expectPolicy } from '@halyard/testing'
import { developer, support } from './policies.ts'

// #region table
test('developers have the rights of their role', () => {
  expectPolicy(developer).table([
    ['updateOn', 'proj/shop:env/test:flag/*', 'can'],
    ['updateOn', 'proj/shop:env/production:flag/checkout', 'can'],
    ['updateOn', 'proj/shop:env/production:flag/billing-vat', 'cannot'],
    ['updateOn', 'proj/shop:env/production:flag/*', 'cannotEvery'],
    ['deleteFlag', 'proj/shop:env/*:flag/*', 'cannot'],
    ['viewToken', 'service-token/*', 'cannot'],
  ])
})
// #endregion

// #region tags
test('support may switch flags with its tag', () => {
  expectPolicy(support)
    .can('updateOn', 'proj/shop:env/production:flag/banner;support')
    .can('updateOn', 'proj/shop:env/production:flag/banner', { tags: ['support'] })
    .cannot('updateOn', 'proj/shop:env/production:flag/banner')
    .cannotEvery('updateOn', 'proj/shop:env/production:flag/*')
})

test('support cannot add its tag to a flag', () => {
  expectPolicy(support).cannot('updateTags', 'proj/shop:env/*:flag/*')
})
// #endregion

// #region together
test('a developer with the role support has the rights of both roles', () => {
  expectPolicy([developer, support])
    .can('updateOn', 'proj/shop:env/production:flag/billing-vat;support')
    .cannot('updateOn', 'proj/shop:env/production:flag/billing-vat')
})

test('a team has rights to its own projects only', () => {
  const teamPolicy = [
    { effect: 'allow', resources: ['proj/${roleAttribute/project}:env/*:flag/*'], actions: ['updateOn'] },
  ] as const
  expectPolicy(teamPolicy, { roleAttributes: { project: ['shop', 'blog'] } })
    .can('updateOn', 'proj/blog:env/test:flag/*')
    .cannot('updateOn', 'proj/intranet:env/test:flag/*')
})
// #endregion
