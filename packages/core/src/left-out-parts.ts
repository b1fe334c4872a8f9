import type { BackUps } from './resources/back-ups/back-ups.ts'
import type { Evaluators } from './resources/evaluation/evaluators.ts'

const withoutEvaluators = (): never => {
  throw new Error('evaluators: this engine was made without them')
}

/** Of an engine without evaluators: asking for one is an error, and nothing else has to do with them. */
export const noEvaluators: Evaluators = {
  of: withoutEvaluators,
  handleOf: withoutEvaluators,
  settled: () => undefined,
  takeCounts: () => [],
  clear: () => {},
  stop: async () => {},
}

const withoutBackUps = 'back-ups: this engine was made without them'

/** Of an engine without back-ups. */
export const noBackUps: BackUps = {
  // biome-ignore lint/correctness/useYield: whoever reads it is told, as with any other failure of an export
  async *export() {
    throw new Error(withoutBackUps)
  },
  import: () => Promise.reject(new Error(withoutBackUps)),
}
