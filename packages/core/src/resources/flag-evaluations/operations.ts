export { getEvaluationsUsage } from './get-evaluations-usage.ts'
