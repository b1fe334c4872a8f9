import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
import { addRoute, createRouter, findRoute } from 'rou3'
import { OperationTable } from '../../packages/core/src/pipeline/match.ts'
import { type Comparison, compare, type Suite } from '../compare.ts'

const suite = 'routing'

/** Paths that clients send: with up to four parameters, and two that match no operation. */
const requests: readonly (readonly [method: string, path: string])[] = [
  ['GET', '/api/v2/projects'],
  ['GET', '/api/v2/projects/web'],
  ['GET', '/api/v2/flags/web'],
  ['GET', '/api/v2/flags/web/checkout'],
  ['PATCH', '/api/v2/flags/web/checkout'],
  ['DELETE', '/api/v2/flags/web/checkout'],
  ['GET', '/api/v2/segments/web/production/beta-users'],
  ['PATCH', '/api/v2/segments/web/production/beta-users'],
  ['GET', '/api/v2/projects/web/environments/production'],
  ['GET', '/api/v2/teams/platform'],
  ['GET', '/api/v2/webhooks/5f0d1c2b3a4e5d6c7b8a9f01'],
  ['GET', '/api/v2/projects/web/ai-configs/helper'],
  ['GET', '/api/v2/projects/web/ai-configs/helper/variations/first'],
  ['GET', '/api/v2/projects/web/release-pipelines/safe'],
  ['GET', '/api/v2/nothing/here'],
  ['GET', '/favicon.ico'],
]

/** Measures the lookup of the operation of a request among all operations. */
export const routing: Suite = {
  name: suite,
  about: `One run finds the operation of ${requests.length} requests, two of which match none, among all operations of the API, with their parameters. Ours also checks whether each parameter can be a key, and lists the supported methods for a wrong one; both find the same operations and parameters.`,
  async run() {
    const { operations } = createEngine({ storage: createMemoryStorage() })
    const table = new OperationTable(operations)
    const router = createRouter<string>()
    for (const { id, method, path } of operations) addRoute(router, method, path.replace(/\{(\w+)\}/g, ':$1'), id)
    for (const [method, path] of requests) {
      const ours = table.match(method, path)
      const peerMatch = findRoute(router, method, path)
      const [ourRoute, expected] = [ours.kind === 'route' ? ours.route : undefined, peerMatch]
      const hasSameParams = JSON.stringify({ ...ourRoute?.params }) === JSON.stringify({ ...expected?.params })
      if (ourRoute?.operation.id !== expected?.data || !hasSameParams)
        throw new Error(`the routers disagree on ${method} ${path}`)
    }
    const runAll = (find: (method: string, path: string) => unknown) => () => {
      for (const [method, path] of requests) find(method, path)
    }
    const results: Comparison[] = [
      await compare({
        suite,
        case: `${requests.length} requests among ${operations.length} operations`,
        ours: runAll((method, path) => table.match(method, path)),
        peer: { name: 'rou3', run: runAll((method, path) => findRoute(router, method, path)) },
      }),
    ]
    return results
  },
}
