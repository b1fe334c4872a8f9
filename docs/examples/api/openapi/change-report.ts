import { changeReport } from '@halyard/openapi'

const change = {
  operation: 'getTeam',
  change: 'removed',
  path: undefined,
  description: 'GET /api/v2/teams/{teamKey}',
} as const
const report = changeReport([{ ...change, breaking: true }], '0.1.0')
console.log(report.includes('getTeam')) // true
