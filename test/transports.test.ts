import { transportConformance } from '@halyard/conformance'
import { describe, expect, it } from 'vitest'
import { longTests } from './setup/long-tests.ts'
import { runsAllCases, selectCases } from './setup/runs-all-cases.ts'
import { transportHarnesses } from './transport-harnesses.ts'

/** Harnesses that together cover each kind of transport and each kind of mount. Long runs cover all combinations. */
const names = [
  'in process',
  'fetch under a path',
  'node:http',
  'Express 4 behind express.json()',
  'Express 5 under a path, behind express.json()',
]

const harnesses = transportHarnesses.filter(({ name }) =>
  runsAllCases ? longTests || names.includes(name) : name.startsWith('Express'),
)

it('each kind of transport and of mount is tested', () => {
  const harnessNames = harnesses.map(({ name }) => name)
  expect(harnessNames).toEqual(
    runsAllCases && !longTests ? names : expect.arrayContaining([expect.stringMatching('Express')]),
  )
})

for (const harness of harnesses) {
  describe(harness.name, () => {
    for (const { group, name, run } of selectCases(transportConformance(harness))) it(`${group}: ${name}`, run)
  })
}
