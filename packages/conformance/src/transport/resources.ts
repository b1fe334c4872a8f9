import { assert } from '../storage/assert.ts'
import { assertError, json, type TransportCaseContext, type TransportCases } from './transport-case.ts'
import type { TransportResponse } from './transport-harness.ts'

const projects = '/api/v2/projects'
const environments = '/api/v2/projects/web/environments'

export const resourceCases: TransportCases = {
  group: 'resources',
  cases: {
    'a created resource can be fetched': async ({ send }) => {
      const created = await send(json('POST', projects, { key: 'shop', name: 'Shop', tags: ['a', 'b'] }))
      assert.equal(created.status, 201)
      assert.equal(created.headers['content-type'], 'application/json')
      const fetched = await send({ method: 'GET', path: `${projects}/shop` })
      assert.equal(fetched.status, 200)
      assert.deepEqual(pick(fetched, 'key', 'name', 'tags'), { key: 'shop', name: 'Shop', tags: ['a', 'b'] })
    },

    'the response of a change contains the whole resource': async ({ send }) => {
      const patch = [{ op: 'replace', path: '/name', value: 'World Wide Web' }]
      const changed = await send(json('PATCH', `${projects}/web`, patch))
      assert.equal(changed.status, 200)
      assert.deepEqual(pick(changed, 'key', 'name'), { key: 'web', name: 'World Wide Web' })
    },

    'a patch can have a comment and be sent with other JSON media types': async ({ send }) => {
      const body = { comment: 'why', patch: [{ op: 'add', path: '/tags/-', value: 't' }] }
      for (const type of ['application/json; charset=utf-8', 'application/json-patch+json']) {
        const changed = await send(json('PATCH', `${projects}/web`, body, { 'content-type': type }))
        assert.equal(changed.status, type.includes('patch') ? 400 : 200, 'the second patch adds the same tag again')
      }
    },

    'the response of a deletion has no body': async ({ send }) => {
      const deleted = await send({ method: 'DELETE', path: `${projects}/web` })
      assert.equal(deleted.status, 204)
      assert.equal(deleted.body, '')
      assert.isUndefined(deleted.headers['content-type'])
      assertError(await send({ method: 'GET', path: `${projects}/web` }), 404, 'not_found')
    },

    'an environment can be created, changed, fetched and deleted': async ({ send }) => {
      assert.equal((await send(json('POST', environments, { key: 'qa', name: 'QA', color: 'abcdef' }))).status, 201)
      const colorPatch = [{ op: 'replace', path: '/color', value: '123456' }]
      assert.equal((await send(json('PATCH', `${environments}/qa`, colorPatch))).status, 200)
      assert.deepEqual(pick(await send({ method: 'GET', path: `${environments}/qa` }), 'key', 'color'), {
        key: 'qa',
        color: '123456',
      })
      assert.equal((await send({ method: 'DELETE', path: `${environments}/qa` })).status, 204)
      assertError(await send({ method: 'GET', path: `${environments}/qa` }), 404, 'not_found')
    },

    'the links of a list lead to its other pages': async (context) => {
      for (const key of ['a', 'b', 'c', 'd'])
        await context.send(json('POST', projects, { key, name: key.toUpperCase() }))
      const middle = await context.send({ method: 'GET', path: `${projects}?tags=&limit=2&offset=2&sort=name` })
      const links = pick(middle, '_links')._links as Record<string, { href: string }>
      assert.deepEqual(Object.keys(links).sort(), ['first', 'last', 'next', 'prev', 'self'])
      assert.deepEqual(await keysAt(context, links.first?.href), ['a', 'b'])
      assert.deepEqual(await keysAt(context, links.prev?.href), ['a', 'b'])
      assert.deepEqual(await keysAt(context, links.self?.href), ['c', 'd'])
      assert.deepEqual(await keysAt(context, links.next?.href), ['web'])
      assert.deepEqual(await keysAt(context, links.last?.href), ['web'])
    },

    'queries are decoded exactly once': async ({ send }) => {
      await send(json('POST', projects, { key: 'odd', name: '100% a+b & c=d' }))
      for (const query of ['100%25%20a%2Bb', 'a%2bb+%26+c', 'c%3Dd', 'c=d']) {
        const page = await send({ method: 'GET', path: `${projects}?query=${query}` })
        assert.deepEqual(pick(page, 'totalCount'), { totalCount: 1 }, query)
      }
      const twice = await send({ method: 'GET', path: `${projects}?query=100%2525` })
      assert.deepEqual(pick(twice, 'totalCount'), { totalCount: 0 })
    },

    'text in every script is returned as it was sent': async ({ send }) => {
      const name = 'Ünïcödé 日本語 العربية 🚀👩‍👩‍👧 e\u0301 \u2028\u2029 "quoted" \\ / <b>&'
      const created = await send(json('POST', projects, { key: 'u', name }))
      assert.deepEqual(pick(created, 'name'), { name })
      assert.deepEqual(pick(await send({ method: 'GET', path: `${projects}/u` }), 'name'), { name })
    },

    'a body can arrive in chunks that split characters': async ({ send }) => {
      const name = '🚀日本語é'.repeat(20)
      const created = await send({ ...json('POST', projects, { key: 'u', name }), chunked: true })
      assert.deepEqual(pick(created, 'name'), { name })
    },

    'long request and response bodies are transmitted completely': async ({ send }) => {
      const list = Array.from({ length: 100 }, (_, i) => ({
        key: `env-${i}`,
        name: `${'é'.repeat(200)} ${i}`,
        color: 'abcdef',
        tags: Array.from({ length: 40 }, (__, j) => `tag-${i}-${j}`),
      }))
      const created = await send(json('POST', projects, { key: 'long', name: 'Long', environments: list }))
      assert.equal(created.status, 201, created.body.slice(0, 200))
      const { environments: createdEnvironments } = pick(created, 'environments') as {
        environments: { items: { name: string }[] }
      }
      assert.deepEqual(
        createdEnvironments.items.map((environment) => environment.name).sort(),
        list.map((environment) => environment.name).sort(),
      )
    },
  },
}

function pick(response: TransportResponse, ...names: string[]): Record<string, unknown> {
  const body = JSON.parse(response.body) as Record<string, unknown>
  return Object.fromEntries(names.map((name) => [name, body[name]]))
}

/**
 * Returns the keys of the resources on a page.
 *
 * @param href link to the page; requests of the suite have paths without the mount path.
 */
async function keysAt({ mountPath, send }: TransportCaseContext, href = ''): Promise<string[]> {
  const page = JSON.parse((await send({ method: 'GET', path: href.slice(mountPath.length) })).body) as {
    items: { key: string }[]
  }
  return page.items.map((item) => item.key)
}
