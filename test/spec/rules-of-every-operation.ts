import type { TestEngineInput } from '@halyard/testing'
import { describe, expect, it } from 'vitest'
import {
  engineWith,
  invalid,
  refusals,
  type SetUp,
  type SpecOperation,
  send,
  senderOf,
  transports,
} from './spec-operation.ts'

/**
 * Defines the tests that apply to every operation of docs/specification.md: "Authentication", "Versioning", "Limits"
 * and "Errors".
 */
export function describeCommonRules(operation: SpecOperation, setUp: SetUp, options: TestEngineInput = {}): void {
  const { method, path, success } = operation

  describe(`${method} ${path}: authentication, versions and rate limits`, () => {
    it(`responds ${success} with JSON`, async () => {
      const { engine, request } = await engineWith(setUp, options)
      const { status, headers, body } = await send(engine, operation, request)
      expect(status).toBe(success)
      if (success === 204) expect(body).toBeUndefined()
      else expect(headers.get('content-type')).toMatch(/^application\/json(;|$)/)
      expect(headers.get('x-request-id')).toMatch(/^[\w.:-]{1,128}$/)
    })

    describeAuthentication(operation, setUp, options)

    it('gets rate_limited beyond the limit, with the time to wait', async () => {
      const { engine, request } = await engineWith(setUp, { ...options, rateLimit: { route: 1, windowMs: 10_000 } })
      const first = await send(engine, operation, request)
      expect(first.status).toBe(success)
      expect(first.headers.get('x-ratelimit-route-remaining')).toBe('0')
      const { status, body, headers } = await send(engine, operation, request)
      expect({ status, body }).toEqual(refusals.rate_limited)
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
      expect(Number(headers.get('x-ratelimit-reset'))).toBeGreaterThan(engine.now())
      expect(headers.get('x-ratelimit-global-remaining')).toMatch(/^\d+$/)
      expect(headers.get('ratelimit')).toBeTruthy()
      expect(headers.get('ratelimit-policy')).toBeTruthy()
    })

    it('gets method_not_allowed for a method that the path does not support', async () => {
      const { engine, request } = await engineWith(setUp, options)
      const { status, body, headers } = await send(engine, { ...operation, method: 'PROPFIND' as 'GET' }, request)
      expect({ status, body }).toEqual(refusals.method_not_allowed)
      expect(headers.get('allow')?.split(', ')).toContain(method)
    })

    it('refuses the unknown version `alpha`', async () => {
      const { engine, request } = await engineWith(setUp, options)
      const { status, body } = await send(engine, operation, { ...request, headers: { 'svc-api-version': 'alpha' } })
      expect({ status, body }).toEqual(invalid(['SVC-API-Version', 'must be a known version']))
    })

    if (operation.beta) describeBetaGate(operation, setUp, options)
    else describeVersions(operation, setUp, options)
  })
}

function describeAuthentication(operation: SpecOperation, setUp: SetUp, options: TestEngineInput): void {
  it('accepts the token without a prefix and after `Bearer`', async () => {
    for (const prefix of ['', 'Bearer ']) {
      const { engine, request } = await engineWith(setUp, options)
      const headers = { authorization: `${prefix}${engine.admin}` }
      expect((await send(engine, operation, { ...request, headers })).status).toBe(operation.success)
    }
  })

  it.each([
    ['missing', undefined],
    ['empty', ''],
    ['unknown', `api-${'0'.repeat(63)}f`],
    ['malformed', 'Basic YTpi'],
  ])('gets unauthorized when the token is %s', async (_, authorization) => {
    const { engine, request } = await engineWith(setUp, options)
    const { status, body } = await send(engine, operation, { ...request, headers: { authorization } })
    expect({ status, body }).toEqual(refusals.unauthorized)
  })

  it('gets unauthorized when the token was deleted, over each transport', async () => {
    const { engine, request } = await engineWith(setUp, options)
    const { token, _id } = await engine.given.token({ role: 'admin' })
    await engine.api.deleteToken({ id: _id }, { as: engine.admin })
    for (const transport of transports) {
      const { status, body } = await senderOf(engine, operation, transport)({ ...request, as: token })
      expect({ status, body }).toEqual(refusals.unauthorized)
    }
  })
}

function describeVersions(operation: SpecOperation, setUp: SetUp, options: TestEngineInput): void {
  it.each(['beta', '20160426', '20191212', '20210729', '20220603', '20240415'])(
    'needs no version header and accepts `%s`',
    async (version) => {
      const { engine, request } = await engineWith(setUp, options)
      const headers = { 'svc-api-version': version }
      expect((await send(engine, operation, { ...request, headers })).status).toBe(operation.success)
    },
  )
}

function describeBetaGate(operation: SpecOperation, setUp: SetUp, options: TestEngineInput): void {
  it('needs `SVC-API-Version: beta` and names the header in the error', async () => {
    const { engine, request } = await engineWith(setUp, options)
    const message = 'This operation is in beta: send the header SVC-API-Version: beta.'
    for (const version of [undefined, '20240415']) {
      const { status, body } = await send(engine, operation, { ...request, headers: { 'svc-api-version': version } })
      expect({ status, body }).toEqual({ status: 403, body: { code: 'forbidden', message } })
    }
  })

  it.each([['declared'], ['off']] as const)('needs no version header when betaGate is %s', async (betaGate) => {
    const { engine, request } = await engineWith(setUp, { ...options, betaGate })
    const { status } = await send(engine, operation, { ...request, headers: { 'svc-api-version': undefined } })
    expect(status).toBe(operation.success)
  })
}
