import {
  evaluationCountings,
  evaluationHours,
  evaluationReports,
  flagUses,
} from '../../models/flag-evaluations/flag-evaluation.ts'
import { resource } from '../../operation/resource.ts'

export const flagEvaluations = resource({
  title: 'Flag evaluations',
  description: 'Counts of evaluations that SDKs report.',
  collections: [evaluationCountings, evaluationHours, evaluationReports, flagUses],
  operations: [],
})
