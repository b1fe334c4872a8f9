import { policyMatchers } from '@halyard/testing'

// In a test: expect.extend(policyMatchers), then expect(policy).toAllow('updateOn', 'proj/web:env/test:flag/checkout')
const policy = [{ effect: 'allow' as const, resources: ['proj/web:env/test:flag/*'], actions: ['updateOn'] }]
console.log(policyMatchers.toAllow(policy, 'updateOn', 'proj/web:env/test:flag/checkout').pass) // true
