import { assert } from '../storage/assert.ts'
import { adminToken } from './seeded-engine.ts'
import { assertError, json, type TransportCases } from './transport-case.ts'

const headers = { authorization: adminToken }

export const connectionCases: TransportCases = {
  group: 'connections',
  cases: {
    'concurrent requests receive their own responses': async ({ client }) => {
      const keys = Array.from({ length: 40 }, (_, i) => `project-${i}`)
      const created = await Promise.all(
        keys.map((key) => client.send(json('POST', '/api/v2/projects', { key, name: `Name of ${key}` }, headers))),
      )
      assert.deepEqual([...new Set(created.map(({ status }) => status))], [201])
      const fetched = await Promise.all(
        keys.map((key) => client.send({ method: 'GET', path: `/api/v2/projects/${key}`, headers })),
      )
      const bodies = fetched.map(({ body }) => JSON.parse(body) as { key: string; name: string })
      assert.deepEqual(
        bodies.map(({ key, name }) => [key, name]),
        keys.map((key) => [key, `Name of ${key}`]),
      )
    },

    'exactly one of eight concurrent creations with one key succeeds': async ({ client }) => {
      const request = json('POST', '/api/v2/projects', { key: 'same', name: 'Same' }, headers)
      const responses = await Promise.all(Array.from({ length: 8 }, () => client.send(request)))
      assert.deepEqual(responses.map(({ status }) => status).sort(), [201, 409, 409, 409, 409, 409, 409, 409])
      for (const response of responses.filter(({ status }) => status === 409)) {
        assertError(response, 409, 'optimistic_locking_error')
      }
    },

    'concurrent valid and invalid requests do not affect each other': async ({ client }) => {
      const pending = Array.from({ length: 60 }, (_, i) => {
        if (i % 3 === 0) return client.send({ method: 'GET', path: '/api/v2/projects/web', headers })
        if (i % 3 === 1) return client.send({ method: 'GET', path: '/api/v2/projects/none', headers })
        return client.send(json('POST', '/api/v2/projects', { key: 1 }, headers))
      })
      const statuses = (await Promise.all(pending)).map(({ status }) => status)
      assert.deepEqual(
        statuses,
        Array.from({ length: 60 }, (_, i) => [200, 404, 400][i % 3]),
      )
    },
  },
}
