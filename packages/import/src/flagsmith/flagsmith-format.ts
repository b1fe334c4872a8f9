import type { FlagFormat } from '../flag-format.ts'
import { flagsmithEvaluator } from './evaluator.ts'
import { readFlagsmith } from './read-flagsmith.ts'

/** `halyard import flagsmith`. */
export const flagsmithFormat: FlagFormat = {
  name: 'flagsmith',
  title: 'Flagsmith',
  holds: 'documents of environments, or an export of features',
  read: readFlagsmith,
  evaluator: flagsmithEvaluator,
}
