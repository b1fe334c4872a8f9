import type { Engine } from '@halyard/core'
import type { Operation } from '@halyard/core/operations'
import { assert } from '../storage/assert.ts'
import { adminToken, seededNow } from './seeded-engine.ts'
import { assertError, json, type TransportCaseContext, type TransportCases } from './transport-case.ts'

const web = '/api/v2/projects/web'

/** Invalid credentials; the empty one is a missing header. */
const invalidCredentials = [
  '',
  'Bearer',
  'Bearer ',
  'Basic YWRtaW46YWRtaW4=',
  'api-unknown-token-00000',
  'Bearer api-unknown-token-00000',
  `${adminToken}x`,
  adminToken.slice(0, -1),
  `${adminToken} ${adminToken}`,
  adminToken.toUpperCase(),
  'x'.repeat(4000),
  "' OR '1'='1",
  '\u00e9\u00ff',
]

export const requestStageCases: TransportCases = {
  group: 'request stages',
  cases: {
    'an unknown path leads to 404': async ({ expectError }) => {
      for (const path of ['/nothing', '/', '/projects/', '//projects', '/projects/web/', '/projects/web/x/y/z']) {
        await expectError({ method: 'GET', path: `/api/v2${path}` }, 404, 'not_found')
      }
    },

    'paths and keys are case-sensitive': async ({ expectError }) => {
      await expectError({ method: 'GET', path: '/api/v2/Projects' }, 404, 'not_found')
      await expectError({ method: 'GET', path: '/api/v2/projects/WEB' }, 404, 'not_found')
    },

    'an unsupported method leads to 405 with the supported ones': async ({ send }) => {
      for (const method of ['DELETE', 'PUT', 'OPTIONS']) {
        const response = await send({ method, path: '/api/v2/projects' })
        assertError(response, 405, 'method_not_allowed')
        assert.deepEqual(response.headers.allow?.split(', ').sort(), ['GET', 'POST'])
      }
    },

    'invalid or missing credentials lead to 401': async ({ expectError }) => {
      for (const authorization of invalidCredentials) {
        await expectError({ method: 'GET', path: web, headers: { authorization } }, 401, 'unauthorized')
      }
    },

    'an unauthenticated caller cannot find out whether a resource exists': async ({ send }) => {
      const anonymous = { authorization: '' }
      const existing = await send({ method: 'GET', path: web, headers: anonymous })
      const missing = await send({ method: 'GET', path: '/api/v2/projects/none', headers: anonymous })
      assert.equal(existing.body, missing.body)
    },

    'a token is accepted with and without the scheme Bearer': async ({ send }) => {
      for (const authorization of [adminToken, `Bearer ${adminToken}`, `bearer ${adminToken}`]) {
        assert.equal((await send({ method: 'GET', path: web, headers: { authorization } })).status, 200)
      }
    },

    'a caller without permissions receives 403 before the body is validated': async (context) => {
      const authorization = await powerlessToken(context)
      await context.expectError({ method: 'GET', path: web, headers: { authorization } }, 403, 'forbidden')
      await context.expectError(json('PATCH', web, [{ op: 'nonsense' }], { authorization }), 403, 'forbidden')
      await context.expectError({ method: 'DELETE', path: web, headers: { authorization } }, 403, 'forbidden')
    },

    'known API versions are accepted and others lead to 400': async ({ send }) => {
      const withVersion = (version: string) =>
        send({ method: 'GET', path: web, headers: { 'svc-api-version': version } })
      for (const version of ['beta', '20160426', '20191212', '20210729', '20220603', '20240415']) {
        assert.equal((await withVersion(version)).status, 200, version)
      }
      for (const version of ['BETA', '2', '20240416', 'beta, 20240415', 'x'.repeat(1000)]) {
        const error = assertError(await withVersion(version), 400, 'invalid_request')
        assert.deepEqual(
          error.errors?.map((validationError) => validationError.attribute),
          ['SVC-API-Version'],
        )
      }
    },

    'beta operations without the beta header lead to 403 with a message that names the header': async (context) => {
      const beta = betaOperations(context.engine)
      assert.isTrue(beta.length > 0)
      for (const operation of beta) {
        const request = { method: operation.method, path: pathOf(operation) }
        for (const headers of [{}, { 'svc-api-version': '20240415' }] as Record<string, string>[]) {
          const error = assertError(await context.send({ ...request, headers }), 403, 'forbidden')
          assert.isTrue(error.message.includes('SVC-API-Version: beta'), error.message)
        }
      }
    },

    'the option betaGate determines which operations require the beta header': async (context) => {
      for (const [betaGate, protectedStage] of [
        ['declared', 'declared'],
        ['off', 'none'],
      ] as const) {
        const { engine, send } = await context.withOptions({ betaGate })
        for (const operation of betaOperations(engine)) {
          const response = await send({ method: operation.method, path: pathOf(operation) })
          assert.equal(response.body.includes('SVC-API-Version'), operation.beta === protectedStage, operation.id)
        }
      }
    },

    'the option versionHeaders replaces the names of the version header': async (context) => {
      const { send } = await context.withOptions({ versionHeaders: ['X-Api', 'Vendor-Version'] })
      for (const name of ['x-api', 'vendor-version']) {
        assert.equal((await send({ method: 'GET', path: web, headers: { [name]: '1' } })).status, 400)
      }
      assert.equal((await send({ method: 'GET', path: web, headers: { 'svc-api-version': '1' } })).status, 200)
    },

    'a valid request id is returned, and an invalid one is replaced': async ({ send }) => {
      const isEchoed = async (id: string) => {
        const response = await send({ method: 'GET', path: web, headers: { 'x-request-id': id } })
        return response.headers['x-request-id'] === id
      }
      for (const id of ['a', 'req-1.2:3_4', 'x'.repeat(128)]) assert.isTrue(await isEchoed(id), id)
      for (const id of ['x'.repeat(129), 'a b', '<script>', '"', 'é']) assert.isFalse(await isEchoed(id), id)
    },

    'every response has a request id': async ({ send }) => {
      for (const path of [web, '/api/v2/nothing', '/api/v2/projects?limit=0']) {
        const response = await send({ method: 'GET', path })
        assert.isTrue((response.headers['x-request-id'] ?? '').length > 0)
        assert.isFalse(response.body.includes(response.headers['x-request-id'] as string))
      }
    },

    'every response has security headers, and only one with an ETag may be cached': async ({ send }) => {
      for (const [path, cacheControl] of [
        [web, 'private, no-cache'],
        ['/api/v2/projects/none', 'no-store'],
        ['/api/v2/tokens', 'no-store'],
      ] as const) {
        const { headers } = await send({ method: 'GET', path })
        assert.equal(headers['x-content-type-options'], 'nosniff')
        assert.equal(headers['content-security-policy'], "default-src 'none'; frame-ancestors 'none'")
        assert.equal(headers['cache-control'], cacheControl, path)
        assert.equal(headers.etag !== undefined, cacheControl !== 'no-store', path)
      }
    },

    'a response has no CORS headers by default': async ({ send }) => {
      const origin = 'https://elsewhere.example'
      const { headers } = await send({ method: 'GET', path: web, headers: { origin } })
      assert.equal(headers['access-control-allow-origin'], undefined)
      const preflightHeaders = { origin, 'access-control-request-method': 'GET' }
      const preflight = await send({ method: 'OPTIONS', path: web, headers: preflightHeaders })
      assertError(preflight, 405, 'method_not_allowed')
    },

    'responses contain the remaining rate limit, and a request above it leads to 429': async (context) => {
      // The request that creates the project `web` is the account's first.
      const windowMs = 60_000
      const { send } = await context.withOptions({ rateLimit: { windowMs, account: 5, route: 2 } })
      const get = (path: string) => send({ method: 'GET', path })
      assert.deepEqual(remainingIn((await get(web)).headers), ['3', '1'])
      assert.deepEqual(remainingIn((await get(web)).headers), ['2', '0'])
      const expectError = await get(web)
      assertError(expectError, 429, 'rate_limited')
      const reset = seededNow - (seededNow % windowMs) + windowMs
      assert.equal(expectError.headers['x-ratelimit-reset'], String(reset))
      assert.equal(expectError.headers['retry-after'], String(Math.ceil((reset - seededNow) / 1000)))
      assert.isTrue(
        /q=2;w=60/.test(expectError.headers['ratelimit-policy'] ?? ''),
        expectError.headers['ratelimit-policy'],
      )
      assert.isTrue(/r=0;t=/.test(expectError.headers.ratelimit ?? ''), expectError.headers.ratelimit)
      const other = await get('/api/v2/projects')
      assert.equal(other.status, 200, 'another route has its own limit')
      assert.deepEqual(remainingIn(other.headers), ['1', '1'])
    },
  },
}

function remainingIn(headers: Readonly<Record<string, string>>) {
  return [headers['x-ratelimit-global-remaining'], headers['x-ratelimit-route-remaining']]
}

async function powerlessToken({ send }: TransportCaseContext): Promise<string> {
  const inlineRole = [{ effect: 'deny', resources: ['acct', 'proj/*'], actions: ['*'] }]
  const created = await send(json('POST', '/api/v2/tokens', { name: 'Powerless', inlineRole }))
  assert.equal(created.status, 201, created.body)
  return (JSON.parse(created.body) as { token: string }).token
}

function betaOperations(engine: Engine): readonly Operation[] {
  return engine.operations.filter((operation) => operation.beta)
}

function pathOf({ path }: Operation): string {
  return path.replaceAll(/\{\w+\}/g, 'web')
}
