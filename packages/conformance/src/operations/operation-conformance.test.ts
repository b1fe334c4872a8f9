import { createMemoryStorage } from '@halyard/storage-memory'
import { describe, expect, it } from 'vitest'
import { inProcess } from '../transport/in-process-line.ts'
import type { LineAnswer, LineRequest, TransportHarness } from '../transport/transport-harness.ts'
import { operationConformance } from './operation-conformance.ts'

type Defect = (answer: LineAnswer, request: LineRequest) => LineAnswer

/** Ways of answering with one defect each, and the case that must notice it. */
const defects: Readonly<Record<string, readonly [name: string, Defect]>> = {
  'shows a member that is not declared': [
    'succeeds, and answers as declared',
    (answer) => ({ ...answer, body: answer.body.replace('{', '{"secret":1,') }),
  ],
  'leaves a member out': [
    'succeeds, and answers as declared',
    (answer) => ({ ...answer, body: answer.body.replace('"key"', '"kee"') }),
  ],
  'answers strangers': ['wants a token', (answer) => (answer.status === 401 ? { ...answer, status: 200 } : answer)],
  'shows the powerless something': [
    'gives nothing to a caller who may do nothing',
    (answer) => (answer.status === 403 ? { ...answer, status: 200, body: '{"items":[1],"totalCount":1}' } : answer),
  ],
  'does not say which methods there are': [
    'knows no other method on its path',
    (answer) => (answer.status === 405 ? { ...answer, headers: { ...answer.headers, allow: 'GET' } } : answer),
  ],
  'takes a storage failure for a surprise': [
    'answers at any storage failure that it is unavailable, and has then done nothing',
    (answer) => (answer.status === 503 ? { ...answer, status: 500 } : answer),
  ],
  'fails with a code of its own': [
    'answers with the errors that it declares, and with all of them',
    (answer) => ({ ...answer, body: answer.body.replace('not_found', 'gone') }),
  ],
  'never fails with a declared code': [
    'answers with the errors that it declares, and with all of them',
    (answer) => ({ ...answer, body: answer.body.replace('"code":"not_found"', '"code":"forbidden"') }),
  ],
  'takes any key': [
    'finds nothing under keys that nothing has',
    (answer) => (answer.status === 404 ? { ...answer, status: 200 } : answer),
  ],
  'breaks on a strange body': [
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

describe('the operation suite notices an engine that', () => {
  it.each(Object.entries(defects))('%s', async (name, [caseName, defect]) => {
    // The world is built over a sound line; the defect sets in when it stands.
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

it('examines every operation', () => {
  const { cases } = operationConformance({ openStorage: async () => createMemoryStorage(), transport: inProcess })
  expect(new Set(cases.map(({ group }) => group)).size).toBeGreaterThan(50)
  expect(cases.filter(({ name }) => name === 'has an example')).toEqual([])
})
