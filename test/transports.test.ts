import { transportConformance } from '@halyard/conformance'
import { describe, it } from 'vitest'
import { transportHarnesses } from './transport-harnesses.ts'

for (const harness of transportHarnesses) {
  describe(harness.name, () => {
    for (const { group, name, run } of transportConformance(harness)) it(`${group}: ${name}`, run)
  })
}
