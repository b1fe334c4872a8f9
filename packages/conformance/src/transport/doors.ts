import type { Engine } from '@halyard/core'
import type { Operation } from '@halyard/core/operations'
import { assert } from '../storage/assert.ts'
import { adminToken, seededNow } from './seeded-engine.ts'
import { assertError, json, type TransportCases, type TransportStage } from './stage.ts'

const web = '/api/v2/projects/web'

/** Credentials that are none; the empty one is a header that is not there. */
const strangers = [
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

export const doorCases: TransportCases = {
  group: 'doors',
  cases: {
    'a path that leads nowhere is 404': async ({ refused }) => {
      for (const path of ['/nothing', '/', '', '/projects/', '//projects', '/projects/web/', '/projects/web/x/y/z']) {
        await refused({ method: 'GET', path: `/api/v2${path}` }, 404, 'not_found')
      }
    },

    'paths are known in their own case only': async ({ refused }) => {
      await refused({ method: 'GET', path: '/api/v2/Projects' }, 404, 'not_found')
      await refused({ method: 'GET', path: '/api/v2/projects/WEB' }, 404, 'not_found')
    },

    'another method is 405 and told which there are': async ({ send }) => {
      for (const method of ['DELETE', 'PUT', 'OPTIONS']) {
        const answer = await send({ method, path: '/api/v2/projects' })
        assertError(answer, 405, 'method_not_allowed')
        assert.deepEqual(answer.headers.allow?.split(', ').sort(), ['GET', 'POST'])
      }
    },

    'who is nobody is 401': async ({ refused }) => {
      for (const authorization of strangers) {
        await refused({ method: 'GET', path: web, headers: { authorization } }, 401, 'unauthorized')
      }
    },

    'nobody learns what there is': async ({ send }) => {
      const anonymous = { authorization: '' }
      const there = await send({ method: 'GET', path: web, headers: anonymous })
      const not = await send({ method: 'GET', path: '/api/v2/projects/none', headers: anonymous })
      assert.equal(there.body, not.body)
    },

    'a token may come bare or after Bearer': async ({ send }) => {
      for (const authorization of [adminToken, `Bearer ${adminToken}`, `bearer ${adminToken}`]) {
        assert.equal((await send({ method: 'GET', path: web, headers: { authorization } })).status, 200)
      }
    },

    'whoever may do nothing is 403, and what they sent is not looked at': async (stage) => {
      const authorization = await powerlessToken(stage)
      await stage.refused({ method: 'GET', path: web, headers: { authorization } }, 403, 'forbidden')
      await stage.refused(json('PATCH', web, [{ op: 'nonsense' }], { authorization }), 403, 'forbidden')
      await stage.refused({ method: 'DELETE', path: web, headers: { authorization } }, 403, 'forbidden')
    },

    'versions of the API are known or refused': async ({ send }) => {
      const withVersion = (version: string) =>
        send({ method: 'GET', path: web, headers: { 'svc-api-version': version } })
      for (const version of ['beta', '20160426', '20191212', '20210729', '20220603', '20240415']) {
        assert.equal((await withVersion(version)).status, 200, version)
      }
      for (const version of ['BETA', '2', '20240416', 'beta, 20240415', 'x'.repeat(1000)]) {
        const error = assertError(await withVersion(version), 400, 'invalid_request')
        assert.deepEqual(
          error.errors?.map((fault) => fault.attribute),
          ['SVC-API-Version'],
        )
      }
    },

    'beta operations want the header, and say which': async (stage) => {
      const beta = betaOperations(stage.engine)
      assert.isTrue(beta.length > 0)
      for (const operation of beta) {
        const request = { method: operation.method, path: pathOf(operation) }
        for (const headers of [{}, { 'svc-api-version': '20240415' }] as Record<string, string>[]) {
          const error = assertError(await stage.send({ ...request, headers }), 403, 'forbidden')
          assert.isTrue(error.message.includes('SVC-API-Version: beta'), error.message)
        }
      }
    },

    'the beta gate can be narrowed or opened': async (stage) => {
      for (const [betaGate, closed] of [
        ['declared', 'declared'],
        ['off', 'none'],
      ] as const) {
        const { engine, send } = await stage.own({ betaGate })
        for (const operation of betaOperations(engine)) {
          const answer = await send({ method: operation.method, path: pathOf(operation) })
          assert.equal(answer.body.includes('SVC-API-Version'), operation.beta === closed, operation.id)
        }
      }
    },

    'the version header can have other names': async (stage) => {
      const { send } = await stage.own({ versionHeaders: ['X-Api', 'Vendor-Version'] })
      for (const name of ['x-api', 'vendor-version']) {
        assert.equal((await send({ method: 'GET', path: web, headers: { [name]: '1' } })).status, 400)
      }
      assert.equal((await send({ method: 'GET', path: web, headers: { 'svc-api-version': '1' } })).status, 200)
    },

    'a sane request id is echoed, another replaced': async ({ send }) => {
      const echoed = async (id: string) => {
        const answer = await send({ method: 'GET', path: web, headers: { 'x-request-id': id } })
        return answer.headers['x-request-id'] === id
      }
      for (const id of ['a', 'req-1.2:3_4', 'x'.repeat(128)]) assert.isTrue(await echoed(id), id)
      for (const id of ['x'.repeat(129), 'a b', '<script>', '"', 'é']) assert.isFalse(await echoed(id), id)
    },

    'every answer has a request id': async ({ send }) => {
      for (const path of [web, '/api/v2/nothing', '/api/v2/projects?limit=0']) {
        const answer = await send({ method: 'GET', path })
        assert.isTrue((answer.headers['x-request-id'] ?? '').length > 0)
        assert.isFalse(answer.body.includes(answer.headers['x-request-id'] as string))
      }
    },

    'every answer is safe in a browser, and only one with an ETag may be kept': async ({ send }) => {
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

    'no page of another origin may read an answer, unless told otherwise': async ({ send }) => {
      const origin = 'https://elsewhere.example'
      const { headers } = await send({ method: 'GET', path: web, headers: { origin } })
      assert.equal(headers['access-control-allow-origin'], undefined)
      const asked = { origin, 'access-control-request-method': 'GET' }
      const preflight = await send({ method: 'OPTIONS', path: web, headers: asked })
      assertError(preflight, 405, 'method_not_allowed')
    },

    'what is left of the rate limit is told, and then 429': async (stage) => {
      // The stage's own request at the start is the account's first.
      const windowMs = 60_000
      const { send } = await stage.own({ rateLimit: { windowMs, account: 5, route: 2 } })
      const get = (path: string) => send({ method: 'GET', path })
      assert.deepEqual(leftIn((await get(web)).headers), ['3', '1'])
      assert.deepEqual(leftIn((await get(web)).headers), ['2', '0'])
      const refused = await get(web)
      assertError(refused, 429, 'rate_limited')
      const reset = seededNow - (seededNow % windowMs) + windowMs
      assert.equal(refused.headers['x-ratelimit-reset'], String(reset))
      assert.equal(refused.headers['retry-after'], String(Math.ceil((reset - seededNow) / 1000)))
      assert.isTrue(/q=2;w=60/.test(refused.headers['ratelimit-policy'] ?? ''), refused.headers['ratelimit-policy'])
      assert.isTrue(/r=0;t=/.test(refused.headers.ratelimit ?? ''), refused.headers.ratelimit)
      const other = await get('/api/v2/projects')
      assert.equal(other.status, 200, 'another route has its own share')
      assert.deepEqual(leftIn(other.headers), ['1', '1'])
    },
  },
}

function leftIn(headers: Readonly<Record<string, string>>) {
  return [headers['x-ratelimit-global-remaining'], headers['x-ratelimit-route-remaining']]
}

async function powerlessToken({ send }: TransportStage): Promise<string> {
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
