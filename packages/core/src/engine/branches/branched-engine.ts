import type { TrunkParts, UnbranchedEngine } from '../../engine-design.ts'
import type { BranchEngine, Engine } from '../../engine-interface.ts'
import type { Host } from '../../operation/context.ts'
import type { EngineResponse } from '../../operation/engine-request.ts'
import { fail } from '../../operation/errors.ts'
import type { LiveResponse } from '../../operation/live-response.ts'
import type { Operation } from '../../operation/operation.ts'
import { asFailure, encodeFailure, safeHeaders } from '../../pipeline/encode.ts'
import { routeByHeader } from '../../pipeline/handle-request.ts'
import type { SdkService } from '../../sdk-service.ts'
import { branchOfSdkRequest } from './branch-sdk-keys.ts'
import type { EngineBranches } from './engine-branches.ts'

/** Name of the header by which a request names a branch. */
const branchHeader = 'halyard-branch'

/**
 * Adds the functions of branches to an engine. The engine of a branch handles requests with the header
 * `Halyard-Branch`, and requests of SDKs with a key of the branch.
 */
export function branchedEngine<O extends Operation>(engine: UnbranchedEngine<O>, trunk: TrunkParts<O>): Engine<O> {
  const { options } = trunk
  let making: Promise<EngineBranches<O>> | undefined
  let createdBranches: EngineBranches<O> | undefined
  async function branches(): Promise<EngineBranches<O>> {
    // Few processes use branches, so the code is imported at the first use.
    making ??= import('./branch-engine.ts').then(({ engineBranches }) => engineBranches(trunk))
    return (createdBranches ??= await making)
  }
  async function existing(name: string): Promise<BranchEngine<O>> {
    const branch = await (await branches()).find(name)
    return branch ?? fail('not_found', { message: `There is no branch ${name}, which the request names` })
  }
  async function close(): Promise<void> {
    await createdBranches?.close()
    await engine.close()
  }
  return {
    ...engine,
    handle: routeByHeader(
      branchHeader,
      (name, request) => respond(options.host, async () => (await existing(name)).handle(request)),
      engine.handle,
    ),
    sdk: sdkOfAll(engine.sdk, trunk, { existing, opened: () => createdBranches?.opened() ?? [] }),
    branch: async (name, input) => (await branches()).open(name, input),
    branches: {
      list: async () => (await branches()).accounts.list(),
      delete: async (name) => (await branches()).accounts.delete(name),
    },
    async runDueTasks(limits) {
      await (await branches()).accounts.deleteExpired()
      return engine.runDueTasks(limits)
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** The functions that return the branches of an engine. */
interface BranchLookup<O extends Operation> {
  readonly existing: (name: string) => Promise<BranchEngine<O>>
  readonly opened: () => readonly BranchEngine<O>[]
}

/** Returns an SDK service that combines the service of an engine with the services of its branches. */
function sdkOfAll<O extends Operation>(
  sdk: SdkService,
  { options, isSdkRequest }: TrunkParts<O>,
  { existing, opened }: BranchLookup<O>,
): SdkService {
  return {
    ...sdk,
    handle(request) {
      const name = branchOfSdkRequest(request)
      if (name === undefined || !isSdkRequest(request)) return sdk.handle(request)
      return respond<LiveResponse>(
        options.host,
        async () => (await existing(name)).sdk.handle(request) ?? fail('not_found'),
      )
    },
    async beat() {
      await Promise.all([sdk, ...opened().map((branch) => branch.sdk)].map((each) => each.beat()))
    },
    async flush() {
      await Promise.all([sdk, ...opened().map((branch) => branch.sdk)].map((each) => each.flush()))
    },
    streams: () => opened().reduce((sum, branch) => sum + branch.sdk.streams(), sdk.streams()),
    endStreams() {
      for (const each of [sdk, ...opened().map((branch) => branch.sdk)]) each.endStreams()
    },
  }
}

/** Returns a response. If the request failed before a response was made, returns the response for the error. */
async function respond<Response>(host: Host, work: () => Promise<Response>): Promise<Response | EngineResponse> {
  try {
    return await work()
  } catch (error) {
    const requestId = host.newId()
    return encodeFailure(asFailure(error, host, undefined, requestId), { ...safeHeaders(requestId) })
  }
}
