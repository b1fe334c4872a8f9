import { createMemoryStorage } from '@halyard/storage-memory'
import { describe, expect, it } from 'vitest'
import { inProcessHarness } from '../transport/in-process-harness.ts'
import type { TransportHarness, TransportRequest, TransportResponse } from '../transport/transport-harness.ts'
import { operationConformance } from './operation-conformance.ts'

type Defect = (response: TransportResponse, request: TransportRequest) => TransportResponse

/** Responses with one defect each, and the case that must detect it. */
const defects: Readonly<Record<string, readonly [name: string, Defect]>> = {
  'sends an undeclared property': [
    'succeeds with the declared response',
    (response) => ({ ...response, body: response.body.replace('{', '{"secret":1,') }),
  ],
  'omits a property': [
    'succeeds with the declared response',
    (response) => ({ ...response, body: response.body.replace('"key"', '"kee"') }),
  ],
  'responds without authentication': [
    'requires a token',
    (response) => (response.status === 401 ? { ...response, status: 200 } : response),
  ],
  'reveals data to a caller without permissions': [
    'reveals nothing to a caller without permissions',
    (response) =>
      response.status === 403 ? { ...response, status: 200, body: '{"items":[1],"totalCount":1}' } : response,
  ],
  'does not list the supported methods': [
    'responds with 405 to other methods on its path',
    (response) =>
      response.status === 405 ? { ...response, headers: { ...response.headers, allow: 'GET' } } : response,
  ],
  'responds with 500 to a storage failure': [
    'responds with 503 to a failure at any storage call, and changes nothing then',
    (response) => (response.status === 503 ? { ...response, status: 500 } : response),
  ],
  'fails with an undeclared code': [
    'fails with the declared errors only, and with each of them',
    (response) => ({ ...response, body: response.body.replace('not_found', 'gone') }),
  ],
  'never fails with a declared code': [
    'fails with the declared errors only, and with each of them',
    (response) => ({ ...response, body: response.body.replace('"code":"not_found"', '"code":"forbidden"') }),
  ],
  'fails with an undeclared code when the stored state refuses the call': [
    'fails only with declared errors when the stored state refuses the call',
    (response) => ({ ...response, body: response.body.replace('optimistic_locking_error', 'gone') }),
  ],
  'accepts any key': [
    'responds with 404 to keys that no resource has',
    (response) => (response.status === 404 ? { ...response, status: 200 } : response),
  ],
  'ignores an unknown parameter of a change': [
    'refuses unknown query parameters, and writes nothing',
    (response) => (response.status === 400 ? { ...response, status: 201 } : response),
  ],
  'responds with 500 to an unexpected body': [
    'refuses bodies and properties of wrong types',
    (response) => (response.status === 400 ? { ...response, status: 500 } : response),
  ],
}

function harnessWithDefect(name: string, defect: Defect): TransportHarness {
  return {
    name,
    async open(engine) {
      const client = await inProcessHarness.open(engine)
      return { ...client, send: async (request) => defect(await client.send(request), request) }
    },
  }
}

describe('operationConformance fails for an engine that', () => {
  it.each(Object.entries(defects))('%s', async (name, [caseName, defect]) => {
    // The fixture is created without the defect, which applies afterwards.
    let isReady = false
    const transport = harnessWithDefect(name, (response, request) => (isReady ? defect(response, request) : response))
    const { cases, close } = operationConformance({ openStorage: async () => createMemoryStorage(), transport })
    const casesOfOperation = cases.filter(({ group }) => group === 'createEnvironment')
    await casesOfOperation[0]?.run()
    isReady = true
    const conformanceCase = casesOfOperation.find((candidate) => candidate.name === caseName)
    await expect(conformanceCase?.run()).rejects.toThrow()
    await close()
  })
})

it('operationConformance covers every operation', () => {
  const { cases } = operationConformance({
    openStorage: async () => createMemoryStorage(),
    transport: inProcessHarness,
  })
  expect(new Set(cases.map(({ group }) => group)).size).toBeGreaterThan(50)
  expect(cases.filter(({ name }) => name === 'has an example')).toEqual([])
})
