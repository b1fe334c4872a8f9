import { expect, test } from 'vitest'
import { developer } from './policies.ts'

test('developers have the rights of their role', () => {
  expect(developer).toAllow('updateOn', 'proj/shop:env/test:flag/*')
  expect(developer).toDeny('deleteFlag', 'proj/shop:env/*:flag/*')
  expect(developer).not.toAllow('updateOn', 'proj/shop:env/production:flag/*')
})
