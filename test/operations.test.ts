import { readFileSync } from 'node:fs'
import path from 'node:path'
import { operationConformance } from '@halyard/conformance'
import { createMemoryStorage } from '@halyard/storage-memory'
import { afterAll, describe, it } from 'vitest'
import { checkAgainstDocument } from '../packages/openapi/test/checked-against-document.ts'
import { longTests } from './setup/long-tests.ts'
import { transportHarnesses } from './transport-harnesses.ts'

const transports = ['in process', 'fetch', 'Express 4 under a path, behind express.json()']
if (longTests) transports.push('Express 5')
const document = JSON.parse(readFileSync(path.resolve(import.meta.dirname, '../docs/reference/openapi.json'), 'utf8'))

for (const transport of transportHarnesses.filter(({ name }) => transports.includes(name))) {
  // One transport is enough to check responses against openapi.json, because all transports return the same responses.
  const harness = transport.name === 'in process' ? checkAgainstDocument(transport, document) : transport
  describe(transport.name, () => {
    // All cases run without a transport; the other transports run the cases that concern transports.
    const onlyPart = longTests || transport.name === 'in process' ? undefined : 'transport'
    const { cases, close } = operationConformance({
      openStorage: async () => createMemoryStorage(),
      transport: harness,
      only: onlyPart,
    })
    afterAll(close)
    for (const { group, name, run } of cases) it(`${group}: ${name}`, run)
  })
}
