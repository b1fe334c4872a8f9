import { assert } from '../storage/assert.ts'
import { assertError, json, type TransportCases } from './stage.ts'
import type { LineRequest } from './transport-harness.ts'

const projects = '/api/v2/projects'
const web = '/api/v2/projects/web'
const good = { key: 'shop', name: 'Shop' }

/** Nests brackets deeper than any recursion could follow. */
function nested(levels: number): string {
  return '['.repeat(levels) + ']'.repeat(levels)
}

/** Object bodies that no schema takes, as JSON text: some of them cannot be written as a literal. */
const hostile: Readonly<Record<string, string>> = {
  'an empty object': '{}',
  'an empty list': '[]',
  'members of other types': '{"key":1,"name":["Shop"],"tags":"a"}',
  'null members': '{"key":null,"name":null}',
  'unknown members': '{"key":"shop","name":"Shop","colour":"red"}',
  'a number too great':
    '{"key":"shop","name":"Shop","environments":[{"key":"e","name":"E","color":"abcdef","defaultTtl":1e999}]}',
  'ten thousand levels of lists': `{"key":"shop","name":"Shop","tags":${nested(10_000)}}`,
  'ten thousand levels of objects': `{"key":"shop","name":"Shop","x":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}}`,
  'a member named __proto__': '{"key":"shop","name":"Shop","__proto__":{"isAdmin":true}}',
  'a member named constructor': '{"key":"shop","name":"Shop","constructor":{"prototype":{"isAdmin":true}}}',
  'a member named prototype': '{"key":"shop","name":"Shop","prototype":{}}',
  'NUL in a text': '{"key":"shop","name":"Sh\\u0000op"}',
  'NUL in a key': '{"key":"sh\\u0000op","name":"Shop"}',
  'half of a surrogate pair': '{"key":"shop","name":"\\ud800"}',
  'the other half': '{"key":"shop","name":"\\udc00 Shop"}',
  'half of a pair as a member name': '{"key":"shop","name":"Shop","\\ud800":1}',
  'SQL in a key': '{"key":"\'; DROP TABLE documents; --","name":"Shop"}',
  'a path in a key': '{"key":"../../etc/passwd","name":"Shop"}',
  'a slash in a key': '{"key":"a/b","name":"Shop"}',
  'a key with a line break': '{"key":"shop\\n","name":"Shop"}',
  'a key too long': `{"key":"${'k'.repeat(257)}","name":"Shop"}`,
  'an empty key': '{"key":"","name":"Shop"}',
  'an emoji key': '{"key":"🚀","name":"Shop"}',
  'a name too long': `{"key":"shop","name":"${'n'.repeat(300_000)}"}`,
  'many faults': JSON.stringify(Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`m${i}`, i]))),
}

const hostilePatches: Readonly<Record<string, unknown>> = {
  'an object': { op: 'replace' },
  'operations of other types': [1, 'a', null, [], {}],
  'an unknown operation': [{ op: 'append', path: '/name', value: 'x' }],
  'no path': [{ op: 'replace', value: 'x' }],
  'no value': [{ op: 'replace', path: '/name' }],
  'a pointer without a slash': [{ op: 'replace', path: 'name', value: 'x' }],
  'a pointer with a bad escape': [{ op: 'replace', path: '/na~2me', value: 'x' }],
  'the whole document': [{ op: 'replace', path: '', value: {} }],
  'a member that is not to be changed': [{ op: 'replace', path: '/key', value: 'x' }],
  'an id': [{ op: 'replace', path: '/_id', value: 'x' }],
  'a pointer to __proto__': [{ op: 'add', path: '/__proto__/isAdmin', value: true }],
  'a pointer to __proto__ below a list': [{ op: 'add', path: '/tags/__proto__/isAdmin', value: true }],
  'a pointer to constructor': [{ op: 'add', path: '/constructor/prototype/isAdmin', value: true }],
  'a copy from constructor': [{ op: 'copy', from: '/constructor', path: '/name' }],
  'a copy of what is secret': [{ op: 'copy', from: '/apiKey', path: '/name' }],
  'a value with __proto__': '[{"op":"add","path":"/tags/-","value":{"__proto__":{"a":1}}}]',
  'an index out of range': [{ op: 'add', path: '/tags/99', value: 'x' }],
  'an index that is no number': [{ op: 'add', path: '/tags/one', value: 'x' }],
  'a removal of what must be': [{ op: 'remove', path: '/name' }],
  'copies that grow without end': Array.from({ length: 60 }, () => ({ op: 'copy', from: '/tags', path: '/tags/-' })),
  'a semantic patch where there is none': { instructions: [{ kind: 'turnFlagOn' }] },
}

export const bodyCases: TransportCases = {
  group: 'bodies',
  cases: {
    ...Object.fromEntries(
      Object.entries(hostile).map(([what, text]): [string, TransportCases['cases'][string]] => [
        `refused: ${what}`,
        async ({ refused }) => {
          await refused(json('POST', projects, text), 400, 'invalid_request')
          assert.isUndefined(({} as { isAdmin?: boolean }).isAdmin)
        },
      ]),
    ),

    ...Object.fromEntries(
      Object.entries(hostilePatches).map(([what, patch]): [string, TransportCases['cases'][string]] => [
        `refused as a patch: ${what}`,
        async ({ refused, send }) => {
          const { body } = await send({ method: 'GET', path: web })
          await refused(json('PATCH', web, patch), 400, 'invalid_request')
          assert.equal((await send({ method: 'GET', path: web })).body, body)
          assert.isUndefined(({} as { isAdmin?: boolean }).isAdmin)
        },
      ]),
    ),

    'all faults are told at once, each with its place': async ({ refused }) => {
      const body = { key: 'a/b', tags: [1], environments: [{ key: 'e' }], extra: 1 }
      const { message, errors = [] } = await refused(json('POST', projects, body), 400, 'invalid_request')
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

    'a semantic patch is refused by what has none': async ({ refused }) => {
      const headers = { 'content-type': 'application/json; domain-model=svc.semanticpatch' }
      const body = { instructions: [{ kind: 'updateName', value: 'x' }] }
      await refused(json('PATCH', web, body, headers), 400, 'invalid_request')
    },

    'other media types are 415': async ({ refused }) => {
      for (const type of [
        'text/plain',
        'application/xml',
        'application/x-www-form-urlencoded',
        'application/jsonx',
        'json',
        ';',
      ]) {
        await refused(json('POST', projects, good, { 'content-type': type }), 415, 'invalid_request')
      }
    },

    'without a media type a body is JSON': async ({ send }) => {
      assert.equal((await send({ method: 'POST', path: projects, body: JSON.stringify(good) })).status, 201)
    },

    'no body at all is refused where one is wanted': async ({ refused }) => {
      const headers = { 'content-type': 'application/json' }
      const requests: LineRequest[] = [
        { method: 'POST', path: projects },
        { method: 'POST', path: projects, headers },
        { method: 'POST', path: projects, headers, body: '' },
        { method: 'PATCH', path: web, headers, body: '' },
      ]
      for (const request of requests) {
        const { message } = await refused(request, 400, 'invalid_request')
        assert.equal(message, 'Invalid request body')
      }
    },

    'a body where none is wanted changes nothing': async ({ send }) => {
      const body = JSON.stringify({ any: 'thing' })
      const headers = { 'content-type': 'application/json' }
      assert.equal((await send({ method: 'GET', path: web, headers, body })).status, 200)
      const reset = `${web}/environments/test/apiKey`
      assert.equal((await send({ method: 'POST', path: reset, headers, body })).status, 200)
      assert.equal((await send({ method: 'DELETE', path: web, headers, body })).status, 204)
    },

    'a byte order mark is not part of the text': async ({ send }) => {
      assert.equal((await send(json('POST', projects, `\ufeff${JSON.stringify(good)}`))).status, 201)
    },
  },
}

/** Bodies that a parser in front would answer for itself. */
export const rawBodyCases: TransportCases = {
  group: 'raw bodies',
  raw: true,
  cases: {
    'what is not JSON is refused': async ({ refused }) => {
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
        const { message } = await refused(json('POST', projects, text), 400, 'invalid_request')
        assert.equal(message, 'Invalid request body', text)
      }
      await refused(json('POST', projects, '['.repeat(10_000)), 400, 'invalid_request')
    },

    'JSON that is no object is refused': async ({ refused }) => {
      for (const text of ['1', '"text"', 'null', 'true', '-0', nested(10_000)]) {
        await refused(json('POST', projects, text), 400, 'invalid_request')
        await refused(json('PATCH', web, text), 400, 'invalid_request')
      }
    },

    'nothing but white space is no body': async ({ refused }) => {
      await refused(json('POST', projects, ' \n\t '), 400, 'invalid_request')
    },

    'what is not UTF-8 is refused, and not mended': async ({ refused }) => {
      const around = [0x7b, 0x22, 0x6b, 0x22, 0x3a, 0x22]
      for (const bytes of [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xc0, 0xaf], [0xf5, 0x80, 0x80, 0x80]]) {
        const body = new Uint8Array([...around, ...bytes, 0x22, 0x7d])
        for (const chunked of [false, true]) {
          const request = { ...json('POST', projects, ''), body, chunked }
          const { message } = await refused(request, 400, 'invalid_request')
          assert.equal(message, 'The request body is not valid UTF-8')
        }
      }
    },

    'a compressed body is refused': async ({ refused }) => {
      const body = new Uint8Array([
        0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0, 0, 3, 0xab, 0xae, 5, 0, 0x43, 0xbf, 0xa6, 0xa3, 2, 0, 0, 0,
      ])
      const request = json('POST', projects, '', { 'content-encoding': 'gzip' })
      await refused({ ...request, body }, 400, 'invalid_request')
    },

    'a body up to the limit is read, one byte more is 413': async (stage) => {
      const limit = 2000
      const { send, refused } = await stage.own({ bodyLimit: limit })
      const bodyOf = (size: number, key: string) => {
        const text = JSON.stringify({ key, name: 'é'.repeat(100) })
        return text + ' '.repeat(size - new TextEncoder().encode(text).byteLength)
      }
      for (const chunked of [false, true]) {
        const key = `chunked-${chunked}`
        const fits = { ...json('POST', projects, bodyOf(limit, key)), chunked }
        assert.equal((await send(fits)).status, 201)
        const { message } = await refused({ ...fits, body: bodyOf(limit + 1, key) }, 413, 'invalid_request')
        assert.isTrue(message.includes('2000 bytes'), message)
      }
    },

    'a body far over the limit is refused, and the next request works': async ({ refused }) => {
      const body = new Uint8Array(4 * 1024 * 1024).fill(0x20)
      for (const chunked of [false, true]) {
        await refused({ ...json('POST', projects, ''), body, chunked }, 413, 'invalid_request')
      }
    },

    'a body over the limit is not read for a caller who may not send it': async ({ send }) => {
      const body = new Uint8Array(2 * 1024 * 1024)
      const anonymous = { ...json('POST', projects, '', { authorization: '' }), body }
      assertError(await send(anonymous), 401, 'unauthorized')
      assert.equal((await send({ method: 'GET', path: web })).status, 200)
    },
  },
}
