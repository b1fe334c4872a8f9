import { listCard } from '../../operation/cards/list-card.ts'
import { agentOptimizations } from './agent-optimization.ts'
import { newestResultFirst, optimizationResults } from './optimization-result.ts'
import { presentResult, resultWire } from './optimization-result-wire.ts'

export const listAllAgentOptimizationResults = listCard(optimizationResults, {
  id: 'listAllAgentOptimizationResults',
  summary: 'List all results of an agent optimization, of all its runs, newest first',
  path: '/api/v2/projects/{projectKey}/agent-optimizations/{optimizationKey}/all-results',
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  within: agentOptimizations,
  select: () => ({ order: newestResultFirst }),
  answer: resultWire,
  present: presentResult,
})
