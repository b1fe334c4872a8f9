import type { FlagFormat } from '../flag-format.ts'
import { growthbookEvaluator } from './evaluator.ts'
import { readGrowthbook } from './read-growthbook.ts'

/** `halyard import growthbook`. */
export const growthbookFormat: FlagFormat = {
  name: 'growthbook',
  title: 'GrowthBook',
  holds: 'what an SDK is sent, or pages of the management API',
  read: readGrowthbook,
  evaluator: growthbookEvaluator,
}
