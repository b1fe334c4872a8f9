import { assert } from '../storage/assert.ts'
import { assertError, json, type TransportCases } from './transport-case.ts'

const web = '/api/v2/projects/web'
const renamePatch = [{ op: 'replace', path: '/name', value: 'Renamed' }]

export const revisionCases: TransportCases = {
  group: 'revisions',
  cases: {
    'each change results in a new ETag': async ({ send }) => {
      const before = await send({ method: 'GET', path: web })
      const after = await send(json('PATCH', web, renamePatch))
      assert.isTrue(/^"[^"]+"$/.test(before.headers.etag ?? ''), before.headers.etag)
      assert.isFalse(before.headers.etag === after.headers.etag)
      assert.equal((await send({ method: 'GET', path: web })).headers.etag, after.headers.etag)
    },

    'a request with a matching If-None-Match leads to 304 without a body': async ({ send }) => {
      const { etag = '' } = (await send({ method: 'GET', path: web })).headers
      for (const ifNoneMatch of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const response = await send({ method: 'GET', path: web, headers: { 'if-none-match': ifNoneMatch } })
        assert.equal(response.status, 304, ifNoneMatch)
        assert.equal(response.body, '')
        assert.equal(response.headers.etag, etag)
      }
      for (const other of ['"other"', etag.slice(1, -1), '']) {
        assert.equal((await send({ method: 'GET', path: web, headers: { 'if-none-match': other } })).status, 200, other)
      }
    },

    'If-None-Match does not prevent a change': async ({ send }) => {
      const { etag = '' } = (await send({ method: 'GET', path: web })).headers
      assert.equal((await send(json('PATCH', web, renamePatch, { 'if-none-match': etag }))).status, 200)
    },

    'a change with an outdated If-Match leads to 409': async ({ send, expectError }) => {
      const { etag = '' } = (await send({ method: 'GET', path: web })).headers
      assert.equal((await send(json('PATCH', web, renamePatch, { 'if-match': etag }))).status, 200)
      const again = [{ op: 'replace', path: '/name', value: 'Again' }]
      await expectError(json('PATCH', web, again, { 'if-match': etag }), 409, 'optimistic_locking_error')
      await expectError({ method: 'DELETE', path: web, headers: { 'if-match': etag } }, 409, 'optimistic_locking_error')
      assert.equal((await send(json('PATCH', web, again, { 'if-match': '*' }))).status, 200)
    },

    'HEAD returns the headers of GET without the body': async ({ send }) => {
      for (const path of [web, '/api/v2/projects/none', '/api/v2/projects?limit=0', '/api/v2/nothing']) {
        const { 'x-request-id': _, ...get } = (await send({ method: 'GET', path })).headers
        const head = await send({ method: 'HEAD', path })
        const { 'x-request-id': __, ...headers } = head.headers
        assert.deepEqual(headers, get)
        assert.equal(head.body, '')
      }
    },

    'HEAD with a matching If-None-Match leads to 304': async ({ send }) => {
      const { etag = '' } = (await send({ method: 'HEAD', path: web })).headers
      const ifNoneMatch = await send({ method: 'HEAD', path: web, headers: { 'if-none-match': etag } })
      assert.equal(ifNoneMatch.status, 304)
    },

    'HEAD leads to 405 on a path without GET': async ({ send }) => {
      const head = await send({ method: 'HEAD', path: `${web}/environments/test/apiKey` })
      assert.equal(head.status, 405)
      assert.equal(head.headers.allow, 'POST')
      assert.equal(head.body, '')
    },

    'a failed test operation in a patch leads to 409': async ({ send, expectError }) => {
      const patch = (version: number) => [{ op: 'test', path: '/version', value: version }, ...renamePatch]
      await expectError(json('PATCH', web, patch(7)), 409, 'optimistic_locking_error')
      assert.equal((await send(json('PATCH', web, patch(1)))).status, 200)
      assertError(await send(json('PATCH', web, patch(1))), 409, 'optimistic_locking_error')
    },
  },
}
