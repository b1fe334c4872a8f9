import { compileRuleset, evaluate, re2Pattern } from '@halyard/core/evaluation'

const isTester = { attribute: 'email', op: 'matches', values: ['^(qa-?)+@'] }
const flag = {
  key: 'checkout',
  on: true,
  variations: [true, false],
  rules: [{ clauses: [isTester], variation: 0 }],
  fallthrough: { variation: 1 },
}
const ruleset = compileRuleset({ flags: [flag], compilePattern: re2Pattern })
const { value } = evaluate(ruleset, 'checkout', { kind: 'user', key: 'ann', email: 'qa-@example.com' })
console.log(value) // true
