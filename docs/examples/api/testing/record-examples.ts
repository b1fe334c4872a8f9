import { recordExamples } from '@halyard/testing'

const examples = await recordExamples()
console.log('getTeam' in examples) // true
