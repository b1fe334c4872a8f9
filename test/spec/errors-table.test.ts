import type { ErrorBody } from '@halyard/core'
import { storageUnavailable } from '@halyard/core/storage'
import { describe, expect, it } from 'vitest'
import { type Account, type ApiResponse, createShopAccount, pathOf, type SendOptions } from './account.ts'
import { expectError } from './conformance.ts'
import { type SpecError, specErrors } from './spec-errors.ts'
import { type ListedOperation, specOperations } from './spec-operations.ts'

/** Any key will do, because the tested errors come before the resource is looked up. */
const anyKeys = (path: string) => {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  return Object.fromEntries(names.map((name) => [name, name === 'resourceType' ? 'flags' : 'unknown']))
}

const beta = { 'SVC-API-Version': 'beta' }

function sendAny(account: Account, { method, path }: ListedOperation, options: SendOptions = {}): Promise<ApiResponse> {
  return account.send(method, pathOf(path, anyKeys(path)), { headers: beta, ...options })
}

const operationsListing = (code: SpecError) => specOperations.filter(({ errors }) => errors?.includes(code))
const withLabels = (operations: readonly ListedOperation[]) =>
  operations.map((operation): [string, ListedOperation] => [`${operation.method} ${operation.path}`, operation])

/**
 * The project of a token or an approval request is known only after it is found, so that an unknown id is not_found for
 * every caller.
 */
const byId = ['/api/v2/tokens/{id}', '/api/v2/approval-requests/{id}']

const validationFailed = (attribute: string, reason: unknown = expect.any(String)) => ({
  code: 'invalid_request',
  message: 'validation failed',
  errors: [{ attribute, reason }],
})

describe('the Errors table', () => {
  it.each(withLabels(specOperations))('unauthorized and rate_limited are returned by %s', async (_, operation) => {
    const account = await createShopAccount({ rateLimit: { route: 1 } })
    expectError(await sendAny(account, operation, { as: 'invalid' }), 'unauthorized')
    expectError(await sendAny(account, operation, { as: '' }), 'unauthorized')
    await sendAny(account, operation)
    expectError(await sendAny(account, operation), 'rate_limited')
  })

  it.each(withLabels(operationsListing('forbidden').filter(({ path }) => !byId.includes(path))))(
    'forbidden is returned by %s',
    async (_, operation) => {
      const account = await createShopAccount()
      // These lists contain only what the caller may view; a caller without rights gets an empty list.
      const isFilteredList = operation.path.endsWith('/groups') || operation.path.endsWith('/webhooks')
      const as = await account.tokenOf({ effect: 'allow', actions: ['viewRole'], resources: ['role/none'] })
      const query = { projectKey: 'web', environmentKey: 'production' }
      const response = await sendAny(account, operation, { as, query })
      if (isFilteredList) expect(response).toMatchObject({ status: 200, body: { items: [] } })
      else expectError(response, 'forbidden')
    },
  )

  it('forbidden is returned to callers who read a token or delete an approval request without the right to do so', async () => {
    const account = await createShopAccount()
    const { api, caller } = account
    const as = await account.tokenOf({ effect: 'allow', actions: ['viewProject'], resources: ['proj/*'] })
    const token = await api.createToken({ body: { role: 'reader' } }, caller)
    expectError(await account.send('GET', `/api/v2/tokens/${token._id}`, { as }), 'forbidden')
    const keys = { projectKey: 'web', flagKey: 'checkout', environmentKey: 'production' }
    const body = { description: 'Launch', instructions: [{ kind: 'turnFlagOn' as const }] }
    const request = await api.createApprovalRequestForFlag({ ...keys, body }, caller)
    expectError(await account.send('DELETE', `/api/v2/approval-requests/${request._id}`, { as }), 'forbidden')
  })

  it.each(withLabels(operationsListing('not_found')))('not_found is returned by %s', async (_, operation) => {
    const account = await createShopAccount()
    // An operation that changes something refuses parameters that it does not know.
    const query: Record<string, string> =
      operation.method === 'GET' ? { projectKey: 'unknown', environmentKey: 'production' } : {}
    const bodies: Record<string, unknown> = {
      'release-pipelines': { name: 'a', phases: [{ name: 'b', audiences: [] }] },
      'experimentation-settings': { randomizationUnits: [{ randomizationUnit: 'user', default: true }] },
      'migration-safety-issues': { instructions: [] },
      'flag-links': operation.method === 'POST' ? { deepLink: 'https://example.com' } : [],
      oauth: [],
    }
    const kind = operation.path.split('/').find((part) => part in bodies)
    const body = operation.method === 'GET' || operation.method === 'DELETE' || !kind ? {} : { body: bodies[kind] }
    expectError(await sendAny(account, operation, { query, ...body }), 'not_found')
  })

  it.each(withLabels(operationsListing('method_not_allowed')))(
    'method_not_allowed is returned by %s',
    async (_, operation) => {
      const account = await createShopAccount()
      const response = await sendAny(account, { ...operation, method: 'PURGE' })
      expectError(response, 'method_not_allowed')
      expect(response.headers.get('allow')?.split(', ')).toContain(operation.method)
    },
  )

  it('method_not_allowed is listed for the experimentation settings and the team', () => {
    const paths = operationsListing('method_not_allowed').map(({ path }) => path)
    expect(paths).toEqual(['/api/v2/projects/{projectKey}/experimentation-settings', '/api/v2/teams/{teamKey}'])
  })

  it.each(withLabels(operationsListing('service_unavailable')))(
    'service_unavailable is returned by %s',
    async (_, operation) => {
      const account = await createShopAccount()
      account.hooks.before = () => {
        throw storageUnavailable('gone')
      }
      expectError(await sendAny(account, operation, { body: { instructions: [] } }), 'service_unavailable')
    },
  )

  it('optimistic_locking_error is returned by generateTrustPolicy when the environment changes before each attempt', async () => {
    const account = await createShopAccount({ dataExportRoleArn: 'arn:aws:iam::123456789012:role/data-export' })
    const { api, caller, hooks } = account
    let names = 0
    let isPatching = false
    hooks.before = async (verb) => {
      if (verb !== 'commit' || isPatching) return
      isPatching = true
      const body = [{ op: 'replace', path: '/name', value: `Name ${++names}` }] as const
      await api.patchEnvironment({ projectKey: 'web', environmentKey: 'test', body }, caller)
      isPatching = false
    }
    const path = '/api/v2/destinations/projects/web/environments/test/generate-trust-policy'
    expectError(await account.send('POST', path), 'optimistic_locking_error')
    hooks.before = () => undefined
    expect((await account.send('POST', path)).status).toBe(201)
  })

  it('optimistic_locking_error is returned when a flag link changes concurrently', async () => {
    const account = await createShopAccount()
    const keys = { projectKey: 'web', flagKey: 'checkout' }
    const link = await account.api.createFlagLink(
      { ...keys, body: { deepLink: 'https://example.com' } },
      account.caller,
    )
    const path = `/api/v2/flag-links/projects/web/flags/checkout/${link._id}`
    const patch = (title: string) =>
      account.send('PATCH', path, { headers: beta, body: [{ op: 'replace', path: '/title', value: title }] })
    account.hooks.before = async (verb) => {
      if (verb !== 'commit') return
      account.hooks.before = () => undefined
      expect((await patch('First')).status).toBe(200)
    }
    const response = await patch('Second')
    const { conflicts, ...body } = response.body as ErrorBody
    expectError({ ...response, body }, 'optimistic_locking_error')
    expect(conflicts).toEqual([{ path: '/title', base: '', yours: 'Second', theirs: 'First' }])
  })

  it('invalid_request has the message "Invalid request body" for invalid JSON, otherwise "validation failed" with errors', async () => {
    const account = await createShopAccount()
    const path = '/api/v2/projects/web/experimentation-settings'
    expectError(await account.send('PUT', path, { body: '{' }), 'invalid_request')
    const response = await account.send('PUT', path, { body: { randomizationUnits: [{ randomizationUnit: 7 }] } })
    expect(response.status).toBe(400)
    expect(response.body).toEqual(validationFailed('randomizationUnits.0.randomizationUnit', 'must be a string'))
  })

  it('each error of the table has its status', () => {
    expect(Object.entries(specErrors).map(([code, { status }]) => [code, status])).toEqual([
      ['invalid_request', 400],
      ['unauthorized', 401],
      ['forbidden', 403],
      ['not_found', 404],
      ['method_not_allowed', 405],
      ['optimistic_locking_error', 409],
      ['rate_limited', 429],
      ['service_unavailable', 503],
    ])
  })
})

describe('validation errors', () => {
  const chart = '/api/v2/engineering-insights/charts/lead-time'

  it('name the missing projectKey of the lead time chart', async () => {
    const account = await createShopAccount()
    const query = { environmentKey: 'production' }
    const response = await account.send('GET', chart, { headers: beta, query })
    expect({ status: response.status, body: response.body }).toEqual({
      status: 400,
      body: validationFailed('projectKey', 'must be present'),
    })
  })

  it('name every invalid query parameter', async () => {
    const account = await createShopAccount()
    const query = { projectKey: 'web', bucketType: 'week', bucketMs: 'long', groupBy: 'team' }
    const { body } = await account.send('GET', chart, { headers: beta, query })
    const { errors } = body as { errors: { attribute: string; reason: string }[] }
    const names = ['bucketMs', 'bucketType', 'environmentKey', 'groupBy']
    expect(errors.map(({ attribute }) => attribute).sort()).toEqual(names)
    for (const error of errors) expect(Object.keys(error).sort()).toEqual(['attribute', 'reason'])
  })

  it('have code and message in operations without listed errors too', async () => {
    const account = await createShopAccount()
    for (const operation of specOperations.filter(({ errors }) => !errors)) {
      const body = operation.method === 'POST' ? { body: { keys: ['checkout'] } } : {}
      expectError(await sendAny(account, operation, body), 'not_found')
      const unauthorized = await sendAny(account, operation, { as: '', ...body })
      expect(Object.keys(unauthorized.body as object).sort()).toEqual(['code', 'message'])
    }
  })
})
