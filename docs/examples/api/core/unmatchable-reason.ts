import { unmatchableReason } from '@halyard/core/evaluation'

const clause = { attribute: 'age', op: 'lessThan', values: ['18'] }
console.log(unmatchableReason(clause)) // must have a number in values
