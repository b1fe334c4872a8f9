import { diffPolicies } from '@halyard/testing'

const policyOf = (resource: string) => [{ effect: 'allow' as const, resources: [resource], actions: ['updateOn'] }]
const resources = ['proj/web:env/test:flag/checkout', 'proj/web:env/production:flag/checkout']
const { denied } = diffPolicies(policyOf('proj/web:env/*:flag/*'), policyOf('proj/web:env/test:flag/*'), { resources })
console.log(denied[0]?.resources) // [ 'proj/web:env/production:flag/checkout' ]
