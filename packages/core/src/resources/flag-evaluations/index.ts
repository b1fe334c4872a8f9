import { resource } from '../../operation/resource.ts'
import { evaluationCountings, evaluationHours, evaluationReports, flagUses } from './flag-evaluation.ts'

export const flagEvaluations = resource({
  title: 'Flag evaluations',
  description: 'Counts of evaluations that SDKs report.',
  collections: [evaluationCountings, evaluationHours, evaluationReports, flagUses],
  operations: [],
})
