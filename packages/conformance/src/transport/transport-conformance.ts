import type { ConformanceCase } from '../storage/conformance-case.ts'
import { addressCases } from './addresses.ts'
import { bodyCases, rawBodyCases } from './bodies.ts'
import { connectionCases } from './connections.ts'
import { requestStageCases } from './request-stages.ts'
import { resourceCases } from './resources.ts'
import { revisionCases } from './revisions.ts'
import { runTransportCase, type TransportCases } from './transport-case.ts'
import type { TransportHarness } from './transport-harness.ts'
import { uploadCases } from './uploads.ts'

const groups: readonly TransportCases[] = [
  resourceCases,
  revisionCases,
  requestStageCases,
  bodyCases,
  rawBodyCases,
  addressCases,
  connectionCases,
  uploadCases,
]

/**
 * Returns the rules for a transport, towards the engine and towards its clients, as cases for any test runner.
 *
 * Each case has engines of its own, so that cases may run in any order, or at the same time. Each request is sent to an
 * engine without a transport too, and both responses must be equal in status, headers and body.
 *
 * @param harness opens the transport to be examined.
 *
 * @example
 * ```ts
 * import { inProcessHarness, transportConformance } from '@halyard/conformance'
 *
 * const cases = transportConformance(inProcessHarness)
 * // In a test file: for (const { group, name, run } of cases) it(`${group}: ${name}`, run)
 * await cases[0]?.run()
 * ```
 */
export function transportConformance(harness: TransportHarness): ConformanceCase[] {
  return groups
    .filter(({ raw }) => !raw || !harness.hasBodyParser)
    .flatMap(({ group, cases }) =>
      Object.entries(cases).map(([name, runCase]) => ({ name, group, run: () => runTransportCase(harness, runCase) })),
    )
}
