import { recordExamples } from '@halyard/conformance'

const examples = await recordExamples()
console.log('getTeam' in examples) // true
