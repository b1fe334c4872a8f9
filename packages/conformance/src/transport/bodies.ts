import { assert } from '../storage/assert.ts'
import { assertError, json, type TransportCases } from './transport-case.ts'
import type { TransportRequest } from './transport-harness.ts'

const projects = '/api/v2/projects'
const web = '/api/v2/projects/web'
const validProject = { key: 'shop', name: 'Shop' }

/** Returns nested brackets, more levels than a recursive parser can follow. */
function nested(levels: number): string {
  return '['.repeat(levels) + ']'.repeat(levels)
}

/** Object bodies that no schema accepts, as JSON text, because some cannot be written as a literal. */
const invalidBodies: Readonly<Record<string, string>> = {
  'an empty object': '{}',
  'an empty list': '[]',
  'properties of other types': '{"key":1,"name":["Shop"],"tags":"a"}',
  'properties with the value null': '{"key":null,"name":null}',
  'unknown properties': '{"key":"shop","name":"Shop","colour":"red"}',
  'a number that is too large':
    '{"key":"shop","name":"Shop","environments":[{"key":"e","name":"E","color":"abcdef","defaultTtl":1e999}]}',
  'ten thousand levels of lists': `{"key":"shop","name":"Shop","tags":${nested(10_000)}}`,
  'ten thousand levels of objects': `{"key":"shop","name":"Shop","x":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}}`,
  'a property named __proto__': '{"key":"shop","name":"Shop","__proto__":{"isAdmin":true}}',
  'a property named constructor': '{"key":"shop","name":"Shop","constructor":{"prototype":{"isAdmin":true}}}',
  'a property named prototype': '{"key":"shop","name":"Shop","prototype":{}}',
  'NUL in a text': '{"key":"shop","name":"Sh\\u0000op"}',
  'NUL in a key': '{"key":"sh\\u0000op","name":"Shop"}',
  'half of a surrogate pair': '{"key":"shop","name":"\\ud800"}',
  'the low half of a surrogate pair': '{"key":"shop","name":"\\udc00 Shop"}',
  'a lone surrogate as a property name': '{"key":"shop","name":"Shop","\\ud800":1}',
  'SQL in a key': '{"key":"\'; DROP TABLE documents; --","name":"Shop"}',
  'a path in a key': '{"key":"../../etc/passwd","name":"Shop"}',
  'a slash in a key': '{"key":"a/b","name":"Shop"}',
  'a key with a line break': '{"key":"shop\\n","name":"Shop"}',
  'a key that is too long': `{"key":"${'k'.repeat(257)}","name":"Shop"}`,
  'an empty key': '{"key":"","name":"Shop"}',
  'an emoji key': '{"key":"🚀","name":"Shop"}',
  'a name that is too long': `{"key":"shop","name":"${'n'.repeat(300_000)}"}`,
  'thousands of validation errors': JSON.stringify(
    Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`m${i}`, i])),
  ),
}

const invalidPatches: Readonly<Record<string, unknown>> = {
  'an object': { op: 'replace' },
  'operations of other types': [1, 'a', null, [], {}],
  'an unknown operation': [{ op: 'append', path: '/name', value: 'x' }],
  'no path': [{ op: 'replace', value: 'x' }],
  'a missing value': [{ op: 'replace', path: '/name' }],
  'a pointer without a slash': [{ op: 'replace', path: 'name', value: 'x' }],
  'a pointer with an invalid escape': [{ op: 'replace', path: '/na~2me', value: 'x' }],
  'the whole document': [{ op: 'replace', path: '', value: {} }],
  'a property that cannot be changed': [{ op: 'replace', path: '/key', value: 'x' }],
  'an id': [{ op: 'replace', path: '/_id', value: 'x' }],
  'a pointer to __proto__': [{ op: 'add', path: '/__proto__/isAdmin', value: true }],
  'a pointer to __proto__ below a list': [{ op: 'add', path: '/tags/__proto__/isAdmin', value: true }],
  'a pointer to constructor': [{ op: 'add', path: '/constructor/prototype/isAdmin', value: true }],
  'a copy from constructor': [{ op: 'copy', from: '/constructor', path: '/name' }],
  'a copy of a secret': [{ op: 'copy', from: '/apiKey', path: '/name' }],
  'a value with __proto__': '[{"op":"add","path":"/tags/-","value":{"__proto__":{"a":1}}}]',
  'an index that is out of range': [{ op: 'add', path: '/tags/99', value: 'x' }],
  'an index that is not a number': [{ op: 'add', path: '/tags/one', value: 'x' }],
  'a removal of a required property': [{ op: 'remove', path: '/name' }],
  'copies whose size grows exponentially': Array.from({ length: 60 }, () => ({
    op: 'copy',
    from: '/tags',
    path: '/tags/-',
  })),
  'a semantic patch for a resource that does not support it': { instructions: [{ kind: 'turnFlagOn' }] },
}

export const bodyCases: TransportCases = {
  group: 'bodies',
  cases: {
    ...Object.fromEntries(
      Object.entries(invalidBodies).map(([description, text]): [string, TransportCases['cases'][string]] => [
        `refused: ${description}`,
        async ({ expectError }) => {
          await expectError(json('POST', projects, text), 400, 'invalid_request')
          assert.isUndefined(({} as { isAdmin?: boolean }).isAdmin)
        },
      ]),
    ),

    ...Object.fromEntries(
      Object.entries(invalidPatches).map(([description, patch]): [string, TransportCases['cases'][string]] => [
        `refused as a patch: ${description}`,
        async ({ expectError, send }) => {
          const { body } = await send({ method: 'GET', path: web })
          await expectError(json('PATCH', web, patch), 400, 'invalid_request')
          assert.equal((await send({ method: 'GET', path: web })).body, body)
          assert.isUndefined(({} as { isAdmin?: boolean }).isAdmin)
        },
      ]),
    ),

    'all validation errors are reported in one response, each with its path': async ({ expectError }) => {
      const body = { key: 'a/b', tags: [1], environments: [{ key: 'e' }], extra: 1 }
      const { message, errors = [] } = await expectError(json('POST', projects, body), 400, 'invalid_request')
      assert.equal(message, 'validation failed')
      assert.deepEqual(errors.map(({ attribute }) => attribute).sort(), [
        'environments.0.color',
        'environments.0.name',
        'extra',
        'key',
        'name',
        'tags.0',
      ])
    },

    'a semantic patch is refused for a resource that does not support it': async ({ expectError }) => {
      const headers = { 'content-type': 'application/json; domain-model=svc.semanticpatch' }
      const body = { instructions: [{ kind: 'updateName', value: 'x' }] }
      await expectError(json('PATCH', web, body, headers), 400, 'invalid_request')
    },

    'other media types lead to 415': async ({ expectError }) => {
      for (const type of [
        'text/plain',
        'application/xml',
        'application/x-www-form-urlencoded',
        'application/jsonx',
        'json',
        ';',
      ]) {
        await expectError(json('POST', projects, validProject, { 'content-type': type }), 415, 'invalid_request')
      }
    },

    'a body without a media type is read as JSON': async ({ send }) => {
      assert.equal((await send({ method: 'POST', path: projects, body: JSON.stringify(validProject) })).status, 201)
    },

    'a missing body is refused where the operation requires one': async ({ expectError }) => {
      const headers = { 'content-type': 'application/json' }
      const requests: TransportRequest[] = [
        { method: 'POST', path: projects },
        { method: 'POST', path: projects, headers },
        { method: 'POST', path: projects, headers, body: '' },
        { method: 'PATCH', path: web, headers, body: '' },
      ]
      for (const request of requests) {
        const { message } = await expectError(request, 400, 'invalid_request')
        assert.equal(message, 'Invalid request body')
      }
    },

    'a body is ignored where the operation takes none': async ({ send }) => {
      const body = JSON.stringify({ any: 'thing' })
      const headers = { 'content-type': 'application/json' }
      assert.equal((await send({ method: 'GET', path: web, headers, body })).status, 200)
      const reset = `${web}/environments/test/apiKey`
      assert.equal((await send({ method: 'POST', path: reset, headers, body })).status, 200)
      assert.equal((await send({ method: 'DELETE', path: web, headers, body })).status, 204)
    },

    'a byte order mark is ignored': async ({ send }) => {
      assert.equal((await send(json('POST', projects, `\ufeff${JSON.stringify(validProject)}`))).status, 201)
    },
  },
}

/** Bodies that a body parser in front of the engine would refuse itself. */
export const rawBodyCases: TransportCases = {
  group: 'raw bodies',
  raw: true,
  cases: {
    'a body that is not JSON is refused': async ({ expectError }) => {
      const texts = [
        '{',
        '{"key":"a",}',
        '{"key":"a"}}',
        "{'key':'a'}",
        'undefined',
        'NaN',
        '<a/>',
        '{"key":"\n"}',
        '\0',
      ]
      for (const text of texts) {
        const { message } = await expectError(json('POST', projects, text), 400, 'invalid_request')
        assert.equal(message, 'Invalid request body', text)
      }
      await expectError(json('POST', projects, '['.repeat(10_000)), 400, 'invalid_request')
    },

    'JSON that is not an object is refused': async ({ expectError }) => {
      for (const text of ['1', '"text"', 'null', 'true', '-0', nested(10_000)]) {
        await expectError(json('POST', projects, text), 400, 'invalid_request')
        await expectError(json('PATCH', web, text), 400, 'invalid_request')
      }
    },

    'a body of white space is refused': async ({ expectError }) => {
      await expectError(json('POST', projects, ' \n\t '), 400, 'invalid_request')
    },

    'a body that is not UTF-8 is refused and not repaired': async ({ expectError }) => {
      const prefix = [0x7b, 0x22, 0x6b, 0x22, 0x3a, 0x22]
      for (const bytes of [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xc0, 0xaf], [0xf5, 0x80, 0x80, 0x80]]) {
        const body = new Uint8Array([...prefix, ...bytes, 0x22, 0x7d])
        for (const chunked of [false, true]) {
          const request = { ...json('POST', projects, ''), body, chunked }
          const { message } = await expectError(request, 400, 'invalid_request')
          assert.equal(message, 'The request body is not valid UTF-8')
        }
      }
    },

    'a compressed body is refused': async ({ expectError }) => {
      const body = new Uint8Array([
        0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0, 0, 3, 0xab, 0xae, 5, 0, 0x43, 0xbf, 0xa6, 0xa3, 2, 0, 0, 0,
      ])
      const request = json('POST', projects, '', { 'content-encoding': 'gzip' })
      await expectError({ ...request, body }, 400, 'invalid_request')
    },

    'a body at the limit is accepted, and one byte more leads to 413': async (context) => {
      const limit = 2000
      const { send, expectError } = await context.withOptions({ bodyLimit: limit })
      const bodyOf = (size: number, key: string) => {
        const text = JSON.stringify({ key, name: 'é'.repeat(100) })
        return text + ' '.repeat(size - new TextEncoder().encode(text).byteLength)
      }
      for (const chunked of [false, true]) {
        const key = `chunked-${chunked}`
        const withinLimit = { ...json('POST', projects, bodyOf(limit, key)), chunked }
        assert.equal((await send(withinLimit)).status, 201)
        const { message } = await expectError({ ...withinLimit, body: bodyOf(limit + 1, key) }, 413, 'invalid_request')
        assert.isTrue(message.includes('2000 bytes'), message)
      }
    },

    'a body far above the limit is refused, and the next request succeeds': async ({ expectError }) => {
      const body = new Uint8Array(4 * 1024 * 1024).fill(0x20)
      for (const chunked of [false, true]) {
        await expectError({ ...json('POST', projects, ''), body, chunked }, 413, 'invalid_request')
      }
    },

    'a body above the limit is not read when the caller is not authenticated': async ({ send }) => {
      const body = new Uint8Array(2 * 1024 * 1024)
      const anonymous = { ...json('POST', projects, '', { authorization: '' }), body }
      assertError(await send(anonymous), 401, 'unauthorized')
      assert.equal((await send({ method: 'GET', path: web })).status, 200)
    },
  },
}
