import { createMemoryStorage } from '@halyard/storage-memory'
import { describe, expect, it } from 'vitest'
import { inProcess } from '../transport/in-process-line.ts'
import type { LineAnswer, LineRequest, TransportHarness } from '../transport/transport-harness.ts'
import { operationConformance } from './operation-conformance.ts'

type Defect = (answer: LineAnswer, request: LineRequest) => LineAnswer

/** Responses with one defect each, and the case that must detect it. */
const defects: Readonly<Record<string, readonly [name: string, Defect]>> = {
  'sends an undeclared property': [
    'succeeds, and answers as declared',
    (answer) => ({ ...answer, body: answer.body.replace('{', '{"secret":1,') }),
  ],
  'omits a property': [
    'succeeds, and answers as declared',
    (answer) => ({ ...answer, body: answer.body.replace('"key"', '"kee"') }),
  ],
  'responds without authentication': ['requires a token', (answer) => (answer.status === 401 ? { ...answer, status: 200 } : answer)],
  'reveals data to a caller without permissions': [
    'reveals nothing to a caller without permissions',
    (answer) => (answer.status === 403 ? { ...answer, status: 200, body: '{"items":[1],"totalCount":1}' } : answer),
  ],
  'does not list the supported methods': [
    'responds with 405 to other methods on its path',
    (answer) => (answer.status === 405 ? { ...answer, headers: { ...answer.headers, allow: 'GET' } } : answer),
  ],
  'responds with 500 to a storage failure': [
    'responds with 503 to a failure at any storage call, and has then changed nothing',
    (answer) => (answer.status === 503 ? { ...answer, status: 500 } : answer),
  ],
  'fails with an undeclared code': [
    'answers with the errors that it declares, and with all of them',
    (answer) => ({ ...answer, body: answer.body.replace('not_found', 'gone') }),
  ],
  'never fails with a declared code': [
    'answers with the errors that it declares, and with all of them',
    (answer) => ({ ...answer, body: answer.body.replace('"code":"not_found"', '"code":"forbidden"') }),
  ],
  'accepts any key': [
    'responds with 404 to keys that no resource has',
    (answer) => (answer.status === 404 ? { ...answer, status: 200 } : answer),
  ],
  'responds with 500 to an unexpected body': [
    'refuses bodies of other types',
    (answer) => (answer.status === 400 ? { ...answer, status: 500 } : answer),
  ],
}

function defective(name: string, defect: Defect): TransportHarness {
  return {
    name,
    async open(engine) {
      const line = await inProcess.open(engine)
      return { ...line, send: async (request) => defect(await line.send(request), request) }
    },
  }
}

describe('operationConformance fails for an engine that', () => {
  it.each(Object.entries(defects))('%s', async (name, [caseName, defect]) => {
    // The fixture is created without the defect, which applies afterwards.
    let built = false
    const transport = defective(name, (answer, request) => (built ? defect(answer, request) : answer))
    const { cases, close } = operationConformance({ openStorage: async () => createMemoryStorage(), transport })
    const [first] = cases
    await first?.run()
    built = true
    const examined = cases.find((one) => one.group === 'createEnvironment' && one.name === caseName)
    await expect(examined?.run()).rejects.toThrow()
    await close()
  })
})

it('operationConformance covers every operation', () => {
  const { cases } = operationConformance({ openStorage: async () => createMemoryStorage(), transport: inProcess })
  expect(new Set(cases.map(({ group }) => group)).size).toBeGreaterThan(50)
  expect(cases.filter(({ name }) => name === 'has an example')).toEqual([])
})
