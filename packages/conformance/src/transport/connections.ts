import { assert } from '../storage/assert.ts'
import { adminToken } from './seeded-engine.ts'
import { assertError, json, type TransportCases } from './stage.ts'

const headers = { authorization: adminToken }

export const connectionCases: TransportCases = {
  group: 'connections',
  cases: {
    'concurrent requests receive their own responses': async ({ line }) => {
      const keys = Array.from({ length: 40 }, (_, i) => `project-${i}`)
      const created = await Promise.all(
        keys.map((key) => line.send(json('POST', '/api/v2/projects', { key, name: `Name of ${key}` }, headers))),
      )
      assert.deepEqual([...new Set(created.map(({ status }) => status))], [201])
      const fetched = await Promise.all(
        keys.map((key) => line.send({ method: 'GET', path: `/api/v2/projects/${key}`, headers })),
      )
      const shown = fetched.map(({ body }) => JSON.parse(body) as { key: string; name: string })
      assert.deepEqual(
        shown.map(({ key, name }) => [key, name]),
        keys.map((key) => [key, `Name of ${key}`]),
      )
    },

    'exactly one of eight concurrent creations with one key succeeds': async ({ line }) => {
      const request = json('POST', '/api/v2/projects', { key: 'same', name: 'Same' }, headers)
      const answers = await Promise.all(Array.from({ length: 8 }, () => line.send(request)))
      assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409, 409, 409, 409, 409])
      for (const answer of answers.filter(({ status }) => status === 409)) {
        assertError(answer, 409, 'optimistic_locking_error')
      }
    },

    'concurrent valid and invalid requests do not affect each other': async ({ line }) => {
      const sent = Array.from({ length: 60 }, (_, i) => {
        if (i % 3 === 0) return line.send({ method: 'GET', path: '/api/v2/projects/web', headers })
        if (i % 3 === 1) return line.send({ method: 'GET', path: '/api/v2/projects/none', headers })
        return line.send(json('POST', '/api/v2/projects', { key: 1 }, headers))
      })
      const statuses = (await Promise.all(sent)).map(({ status }) => status)
      assert.deepEqual(
        statuses,
        Array.from({ length: 60 }, (_, i) => [200, 404, 400][i % 3]),
      )
    },
  },
}
