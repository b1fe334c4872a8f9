import { assert } from '../storage/assert.ts'
import { assertError, json, type TransportCases } from './stage.ts'

const web = '/api/v2/projects/web'
const renamed = [{ op: 'replace', path: '/name', value: 'Renamed' }]

export const revisionCases: TransportCases = {
  group: 'revisions',
  cases: {
    'each change results in a new ETag': async ({ send }) => {
      const before = await send({ method: 'GET', path: web })
      const after = await send(json('PATCH', web, renamed))
      assert.isTrue(/^"[^"]+"$/.test(before.headers.etag ?? ''), before.headers.etag)
      assert.isFalse(before.headers.etag === after.headers.etag)
      assert.equal((await send({ method: 'GET', path: web })).headers.etag, after.headers.etag)
    },

    'a request with a matching If-None-Match leads to 304 without a body': async ({ send }) => {
      const { etag = '' } = (await send({ method: 'GET', path: web })).headers
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const answer = await send({ method: 'GET', path: web, headers: { 'if-none-match': known } })
        assert.equal(answer.status, 304, known)
        assert.equal(answer.body, '')
        assert.equal(answer.headers.etag, etag)
      }
      for (const other of ['"other"', etag.slice(1, -1), '']) {
        assert.equal((await send({ method: 'GET', path: web, headers: { 'if-none-match': other } })).status, 200, other)
      }
    },

    'If-None-Match does not prevent a change': async ({ send }) => {
      const { etag = '' } = (await send({ method: 'GET', path: web })).headers
      assert.equal((await send(json('PATCH', web, renamed, { 'if-none-match': etag }))).status, 200)
    },

    'a change with an outdated If-Match leads to 409': async ({ send, refused }) => {
      const { etag = '' } = (await send({ method: 'GET', path: web })).headers
      assert.equal((await send(json('PATCH', web, renamed, { 'if-match': etag }))).status, 200)
      const again = [{ op: 'replace', path: '/name', value: 'Again' }]
      await refused(json('PATCH', web, again, { 'if-match': etag }), 409, 'optimistic_locking_error')
      await refused({ method: 'DELETE', path: web, headers: { 'if-match': etag } }, 409, 'optimistic_locking_error')
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
      const known = await send({ method: 'HEAD', path: web, headers: { 'if-none-match': etag } })
      assert.equal(known.status, 304)
    },

    'HEAD leads to 405 on a path without GET': async ({ send }) => {
      const head = await send({ method: 'HEAD', path: `${web}/environments/test/apiKey` })
      assert.equal(head.status, 405)
      assert.equal(head.headers.allow, 'POST')
      assert.equal(head.body, '')
    },

    'a failed test operation in a patch leads to 409': async ({ send, refused }) => {
      const patch = (version: number) => [{ op: 'test', path: '/version', value: version }, ...renamed]
      await refused(json('PATCH', web, patch(7)), 409, 'optimistic_locking_error')
      assert.equal((await send(json('PATCH', web, patch(1)))).status, 200)
      assertError(await send(json('PATCH', web, patch(1))), 409, 'optimistic_locking_error')
    },
  },
}
