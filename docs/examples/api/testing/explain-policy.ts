import { explainPolicy } from '@halyard/testing'

const policy = [{ effect: 'allow' as const, resources: ['proj/web:env/test:flag/*'], actions: ['updateOn'] }]
const { allowed } = explainPolicy(policy, { action: 'updateOn', resource: 'proj/web:env/production:flag/checkout' })
console.log(allowed) // false
