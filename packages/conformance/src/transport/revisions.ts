import { assert } from '../storage/assert.ts'
import { assertError, json, type TransportCases } from './stage.ts'

const web = '/api/v2/projects/web'
const renamed = [{ op: 'replace', path: '/name', value: 'Renamed' }]

export const revisionCases: TransportCases = {
  group: 'revisions',
  cases: {
    'each change has an ETag of its own': async ({ send }) => {
      const before = await send({ method: 'GET', path: web })
      const after = await send(json('PATCH', web, renamed))
      assert.isTrue(/^"[^"]+"$/.test(before.headers.etag ?? ''), before.headers.etag)
      assert.isFalse(before.headers.etag === after.headers.etag)
      assert.equal((await send({ method: 'GET', path: web })).headers.etag, after.headers.etag)
    },

    'a caller who knows the revision is told so, without a body': async ({ send }) => {
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

    'a precondition of readers does not hold up a change': async ({ send }) => {
      const { etag = '' } = (await send({ method: 'GET', path: web })).headers
      assert.equal((await send(json('PATCH', web, renamed, { 'if-none-match': etag }))).status, 200)
    },

    'a change that is meant for another revision is refused': async ({ send, refused }) => {
      const { etag = '' } = (await send({ method: 'GET', path: web })).headers
      assert.equal((await send(json('PATCH', web, renamed, { 'if-match': etag }))).status, 200)
      const again = [{ op: 'replace', path: '/name', value: 'Again' }]
      await refused(json('PATCH', web, again, { 'if-match': etag }), 409, 'optimistic_locking_error')
      await refused({ method: 'DELETE', path: web, headers: { 'if-match': etag } }, 409, 'optimistic_locking_error')
      assert.equal((await send(json('PATCH', web, again, { 'if-match': '*' }))).status, 200)
    },

    'HEAD answers like GET, without the body': async ({ send }) => {
      for (const path of [web, '/api/v2/projects/none', '/api/v2/projects?limit=0', '/api/v2/nothing']) {
        const { 'x-request-id': _, ...get } = (await send({ method: 'GET', path })).headers
        const head = await send({ method: 'HEAD', path })
        const { 'x-request-id': __, ...headers } = head.headers
        assert.deepEqual(headers, get)
        assert.equal(head.body, '')
      }
    },

    'HEAD of a known revision is 304': async ({ send }) => {
      const { etag = '' } = (await send({ method: 'HEAD', path: web })).headers
      const known = await send({ method: 'HEAD', path: web, headers: { 'if-none-match': etag } })
      assert.equal(known.status, 304)
    },

    'HEAD of what cannot be fetched is 405': async ({ send }) => {
      const head = await send({ method: 'HEAD', path: `${web}/environments/test/apiKey` })
      assert.equal(head.status, 405)
      assert.equal(head.headers.allow, 'POST')
      assert.equal(head.body, '')
    },

    'a test in a patch that does not hold is a conflict': async ({ send, refused }) => {
      const patch = (version: number) => [{ op: 'test', path: '/version', value: version }, ...renamed]
      await refused(json('PATCH', web, patch(7)), 409, 'optimistic_locking_error')
      assert.equal((await send(json('PATCH', web, patch(1)))).status, 200)
      assertError(await send(json('PATCH', web, patch(1))), 409, 'optimistic_locking_error')
    },
  },
}
