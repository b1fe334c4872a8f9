import { recordExamples } from '@halyard/conformance'
import { describe, expect, it } from 'vitest'
import { longTests } from './setup/long-tests.ts'
import { transportHarnesses } from './transport-harnesses.ts'

/** Returns all strings below a value that contain a path of the API. */
function apiPaths(value: unknown): string[] {
  if (typeof value === 'string') return value.includes('/api/v2/') ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(apiPaths)
}

const mountedPath = /^\/(api\/v2(\/|$)|invitation#|webhook\/)/

/** Returns a JSON value in which each link to the API, to an invitation and to a trigger begins with the mount path. */
function mounted(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (name, part) =>
    (name === 'href' || name === 'triggerURL') && mountedPath.test(part) ? `/features${part}` : part,
  )
}

const atRoot = recordExamples()
// These two harnesses represent the others: Express 4 passes its mount path in the same property as Express 5, and
// `node:http` has the option of the fetch handler.
const always = ['fetch under a path', 'Express 5 under a path, behind express.json()']
const mountedHarnesses = transportHarnesses.filter(
  ({ name }) => name.includes('under a path') && (longTests || always.includes(name)),
)

describe.each(mountedHarnesses)('$name', (harness) => {
  it('begins every link and location with the mount path, and changes nothing else', async () => {
    const examples = await recordExamples(harness)
    const expected = await atRoot
    expect(Object.values(expected).flatMap(({ response }) => apiPaths(response)).length).toBeGreaterThan(500)
    for (const [id, { response, headers }] of Object.entries(examples)) {
      const before = expected[id]
      if (response !== undefined) expect({ id, response }).toEqual({ id, response: mounted(before?.response) })
      const location = before?.headers.location
      expect({ id, location: headers.location }).toEqual({ id, location: location && `/features${location}` })
    }
  })
})
