import { re2Pattern } from '@halyard/core/evaluation'

const matches = re2Pattern('^(a+)+$')
console.log(matches('aaaa'), matches('aaab')) // true false
