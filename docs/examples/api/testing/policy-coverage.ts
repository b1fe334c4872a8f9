import { expectPolicy, policyCoverage } from '@halyard/testing'

const role = {
  name: 'tester',
  policy: [
    { effect: 'allow' as const, resources: ['proj/web:env/test:flag/*'], actions: ['updateOn'] },
    { effect: 'deny' as const, resources: ['proj/web:env/test:flag/billing'], actions: ['*'] },
  ],
}
const coverage = policyCoverage(role)
expectPolicy(role, { coverage }).can('updateOn', 'proj/web:env/test:flag/checkout')
console.log(coverage.untested().length) // 1
