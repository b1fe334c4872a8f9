import type { Example } from '../example.ts'
import type { Target } from './attack.ts'

interface PatchBody {
  readonly environmentKey: string
  readonly instructions: readonly object[]
}

/** Returns the body of the request that leads to the same state as a call. */
type RequestFor = (params: Readonly<Record<string, string>>, body: PatchBody) => object

const semantic =
  (resourceOf: (params: Readonly<Record<string, string>>) => string): RequestFor =>
  (params, { environmentKey, instructions }) => ({
    resourceId: `proj/${params.projectKey}:env/${environmentKey}:${resourceOf(params)}`,
    instructions,
  })

const contents =
  (kind: string, own: (params: Readonly<Record<string, string>>) => object): RequestFor =>
  ({ projectKey, configKey, ...params }, body) => ({
    resourceId: `proj/${projectKey}:aiconfig/${configKey}`,
    instructions: [{ kind, ...own(params), ...body }],
  })

const deletion = 'A request is deleted with its resource, so a deletion needs the bypass.'
const dates = 'Dates of expiry need the bypass.'
const scheduled = 'A request has an execution date.'
const inSets = 'The instructions of patchSegment change the keys of big segments.'

/** For each operation, the request for its changes, or the reason why its changes cannot be requested. */
const requests: Readonly<Record<string, RequestFor | string>> = {
  patchFlag: semantic(({ flagKey }) => `flag/${flagKey}`),
  patchSegment: semantic(({ segmentKey }) => `segment/${segmentKey}`),
  patchAIConfigTargeting: semantic(({ configKey }) => `aiconfig/${configKey}`),
  patchAIConfig: contents('updateAIConfig', () => ({})),
  patchAIConfigVariation: contents('updateAIConfigVariation', ({ variationKey }) => ({ variationKey })),
  createScheduledChange: scheduled,
  patchScheduledChange: scheduled,
  postWorkflow: 'A stage of a workflow has its own approval.',
  updateBigSegmentTargets: inSets,
  updateBigSegmentContextTargets: inSets,
  createBigSegmentImport: inSets,
  patchExpiringTargets: dates,
  patchExpiringUserTargets: dates,
  patchExpiringTargetsForSegment: dates,
  patchExpiringUserTargetsForSegment: dates,
  deleteFlag: deletion,
  deleteSegment: deletion,
  deleteAIConfig: deletion,
}

/**
 * Returns the body of a request for the change of a refused call, or the reason why the change cannot be requested.
 *
 * @throws Error for an operation that is not listed: its changes must be requestable.
 */
export function requestableChange({ operation, kind }: Target, { params = {}, body }: Example): object | string {
  const request = requests[operation.id]
  if (request === undefined) throw new Error(`${operation.id} is refused without approval, and no request is known`)
  if (typeof request === 'string') return request
  if (Array.isArray(body)) return 'The same change can be written as instructions.'
  if (kind === 'deleteFlag') return deletion
  return { description: 'x', ...request(params as Readonly<Record<string, string>>, body as PatchBody) }
}
