import { assert } from '../storage/assert.ts'
import type { TransportCases } from './transport-case.ts'

const invalidKeys = [
  '%',
  '%zz',
  '%e',
  '%ff',
  '%c3%28',
  '%ed%a0%80',
  '%00',
  'web%00',
  '%0a',
  'web%0d%0aSet-Cookie:%20a=b',
  '..%2f..%2fetc%2fpasswd',
  'a%2Fb',
  'a%5Cb',
  'web%3Aenv',
  'proj%2Fweb',
  '*',
  '%2A',
  '%2e',
  '~',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '%27%3B%20DROP%20TABLE%20documents%3B%20--',
  "'%20OR%201=1",
  '%F0%9F%9A%80',
  '%E2%80%AE',
  '%252e',
  'web%2520',
  '-web',
  'k'.repeat(257),
  'k'.repeat(8000),
  '{projectKey}',
  '$%7Bjndi:ldap%7D',
]

const invalidQueries = [
  'limit=0',
  'limit=101',
  'limit=-1',
  'limit=1.5',
  'limit=1e1',
  'limit=abc',
  'limit=',
  'limit=%30x',
  'limit=99999999999999999999',
  'offset=-1',
  'offset=9007199254740993',
  'sort=constructor',
  'sort=--name',
  'sort=name;DROP',
  'sort=',
  'limit=%',
  'query=%ff',
  'query=%c3%28',
  'query=%00',
  '%00=1',
  '%zz=1',
]

const ignoredQueries = [
  '',
  '&',
  '&&&',
  '=',
  '==&=',
  'unknown=1',
  '__proto__=1',
  'constructor=1',
  'limit=5&limit=7',
  '?',
]

export const addressCases: TransportCases = {
  group: 'addresses',
  cases: {
    'a key that no resource can have leads to 404': async ({ expectError }) => {
      for (const key of invalidKeys) {
        await expectError({ method: 'GET', path: `/api/v2/projects/${key}` }, 404, 'not_found')
        await expectError({ method: 'GET', path: `/api/v2/projects/web/environments/${key}` }, 404, 'not_found')
        await expectError({ method: 'DELETE', path: `/api/v2/projects/${key}` }, 404, 'not_found')
      }
    },

    'percent-encoding in a key is decoded exactly once': async ({ send }) => {
      assert.equal((await send({ method: 'GET', path: '/api/v2/projects/%77e%62' })).status, 200)
      assert.equal((await send({ method: 'GET', path: '/api/v2/projects/%2577eb' })).status, 404)
    },

    'an encoded slash does not separate path segments': async ({ expectError }) => {
      await expectError({ method: 'GET', path: '/api/v2/projects%2Fweb' }, 404, 'not_found')
      await expectError({ method: 'GET', path: '/api/v2/projects/web%2Fenvironments' }, 404, 'not_found')
    },

    'an invalid query parameter leads to 400 with its name': async ({ expectError }) => {
      for (const query of invalidQueries) {
        const { errors } = await expectError(
          { method: 'GET', path: `/api/v2/projects?${query}` },
          400,
          'invalid_request',
        )
        assert.isTrue((errors ?? []).length > 0, query)
      }
      await expectError({ method: 'GET', path: '/api/v2/projects/web?expand=__proto__' }, 400, 'invalid_request')
    },

    'all invalid query parameters are reported in one response': async ({ expectError }) => {
      const path = '/api/v2/projects?limit=0&offset=x&sort=y'
      const { errors } = await expectError({ method: 'GET', path }, 400, 'invalid_request')
      assert.deepEqual(errors?.map(({ attribute }) => attribute).sort(), ['limit', 'offset', 'sort'])
    },

    'empty, unknown and repeated query parameters are ignored': async ({ send }) => {
      for (const query of ignoredQueries) {
        assert.equal((await send({ method: 'GET', path: `/api/v2/projects?${query}` })).status, 200, query)
      }
    },

    'special characters in a search text are searched literally': async ({ send }) => {
      for (const text of ['%', '_', '\\', "'", '"', "'; DROP TABLE documents; --", '(?:', '\u{1f680}', 'we_', 'w%b']) {
        // The fetch interface encodes apostrophes itself, and the links in a response repeat the query as the server
        // received it.
        const path = `/api/v2/projects?query=${encodeURIComponent(text).replaceAll("'", '%27')}`
        const page = JSON.parse((await send({ method: 'GET', path })).body) as { totalCount: number }
        assert.equal(page.totalCount, 0, text)
      }
    },
  },
}
