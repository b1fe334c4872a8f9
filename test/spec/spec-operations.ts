import type { SpecError } from './spec-errors.ts'

/** One of the operations of docs/specification.md, with the errors that it lists. */
export interface ListedOperation {
  readonly method: string
  readonly path: string
  readonly beta?: 'declared' | 'tagged'
  /** Undefined where docs/specification.md lists no codes. */
  readonly errors?: readonly SpecError[]
}

const usual = ['invalid_request', 'unauthorized', 'forbidden', 'not_found'] as const

/** All twenty operations, in the order of docs/specification.md. */
export const specOperations: readonly ListedOperation[] = [
  { method: 'POST', path: '/api/v2/projects/{projectKey}/views/{viewKey}/link/{resourceType}', beta: 'declared' },
  { method: 'GET', path: '/api/v2/oauth/clients/{clientId}', errors: usual },
  { method: 'PATCH', path: '/api/v2/oauth/clients/{clientId}', errors: usual },
  {
    method: 'PUT',
    path: '/api/v2/projects/{projectKey}/release-pipelines/{pipelineKey}',
    errors: ['invalid_request', 'forbidden', 'not_found'],
  },
  { method: 'DELETE', path: '/api/v2/projects/{projectKey}/release-policies/{policyKey}', beta: 'declared' },
  {
    method: 'POST',
    path: '/api/v2/flag-links/projects/{projectKey}/flags/{flagKey}',
    beta: 'tagged',
    errors: [...usual, 'rate_limited'],
  },
  {
    method: 'PATCH',
    path: '/api/v2/flag-links/projects/{projectKey}/flags/{flagKey}/{id}',
    beta: 'tagged',
    errors: [...usual, 'optimistic_locking_error', 'rate_limited'],
  },
  {
    method: 'PUT',
    path: '/api/v2/projects/{projectKey}/experimentation-settings',
    errors: [...usual, 'method_not_allowed', 'rate_limited'],
  },
  {
    method: 'POST',
    path: '/api/v2/projects/{projectKey}/flags/{flagKey}/environments/{environmentKey}/migration-safety-issues',
    errors: [...usual, 'rate_limited', 'service_unavailable'],
  },
  {
    method: 'GET',
    path: '/api/v2/code-refs/statistics/{projectKey}',
    errors: ['unauthorized', 'forbidden', 'not_found', 'rate_limited'],
  },
  {
    method: 'GET',
    path: '/api/v2/engineering-insights/insights/groups',
    beta: 'tagged',
    errors: ['invalid_request', 'unauthorized', 'forbidden', 'rate_limited'],
  },
  {
    method: 'GET',
    path: '/api/v2/engineering-insights/charts/lead-time',
    beta: 'tagged',
    errors: [...usual, 'rate_limited'],
  },
  { method: 'GET', path: '/api/v2/teams/{teamKey}', errors: [...usual, 'method_not_allowed', 'rate_limited'] },
  {
    method: 'GET',
    path: '/api/v2/segments/{projectKey}/{environmentKey}/{segmentKey}',
    errors: ['unauthorized', 'not_found', 'rate_limited'],
  },
  {
    method: 'POST',
    path: '/api/v2/destinations/projects/{projectKey}/environments/{environmentKey}/generate-trust-policy',
    errors: ['invalid_request', 'unauthorized', 'forbidden', 'optimistic_locking_error', 'rate_limited'],
  },
  { method: 'GET', path: '/api/v2/projects/{projectKey}/ai-configs' },
  { method: 'GET', path: '/api/v2/projects/{projectKey}/agent-optimizations/{optimizationKey}/results' },
  {
    method: 'GET',
    path: '/api/v2/tokens/{id}',
    errors: ['unauthorized', 'forbidden', 'not_found', 'rate_limited'],
  },
  {
    method: 'DELETE',
    path: '/api/v2/approval-requests/{id}',
    errors: ['unauthorized', 'forbidden', 'not_found', 'rate_limited'],
  },
  { method: 'GET', path: '/api/v2/webhooks', errors: ['unauthorized', 'forbidden', 'rate_limited'] },
]
