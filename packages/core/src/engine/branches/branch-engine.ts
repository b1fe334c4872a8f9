import type { TrunkParts } from '../../engine-design.ts'
import type { BranchEngine, EnvironmentRef } from '../../engine-interface.ts'
import { environments } from '../../models/environments/environment.ts'
import { fail } from '../../operation/errors.ts'
import type { Operation } from '../../operation/operation.ts'
import type { BranchState } from '../../storage/branch/branch-state.ts'
import { branchStorage } from '../../storage/branch/branch-storage.ts'
import { StorageReader } from '../../storage/reader.ts'
import { BranchAccounts, infoOf, storageOfBranch } from './branch-accounts.ts'
import { journalingWriting } from './branch-journal.ts'
import { sdkKeyOfBranch } from './branch-sdk-keys.ts'
import { diffBranch } from './diff-branch.ts'
import type { EngineBranches } from './engine-branches.ts'
import { type MergeOptions, mergeBranch } from './merge-branch.ts'

/**
 * Makes the branches of an engine. The engine of a branch is made when it is first needed, and kept until the branch
 * ends.
 */
export function engineBranches<O extends Operation>(trunk: TrunkParts<O>): EngineBranches<O> {
  const { storage, handlers, host } = trunk.options
  const accounts = new BranchAccounts(storage, handlers.account, host)
  const engines = new Map<string, { readonly id: string; readonly engine: Promise<BranchEngine<O>> }>()
  const opened = new Map<string, BranchEngine<O>>()

  async function engineOf(state: BranchState): Promise<BranchEngine<O>> {
    const existing = engines.get(state.name)
    if (existing?.id === state.id) return existing.engine
    const engine = branchEngine(trunk, accounts, state)
    engines.set(state.name, { id: state.id, engine })
    await (await existing?.engine)?.close()
    opened.set(state.name, await engine)
    return engine
  }

  return {
    accounts,
    open: async (name, options) => engineOf(await accounts.open(name, options)),
    async find(name) {
      const state = await accounts.find(name)
      return state && engineOf(state)
    },
    opened: () => [...opened.values()],
    async close() {
      for (const { engine } of engines.values()) await (await engine).close()
    },
  }
}

/**
 * Refuses reads of past states: the change log of a branch begins with the branch, and its trunk continues to change.
 */
function noPast(name: string): never {
  return fail('invalid_request', { message: `${name} is a branch, and a branch cannot be read as it was` })
}

async function branchEngine<O extends Operation>(
  trunk: TrunkParts<O>,
  accounts: BranchAccounts,
  state: BranchState,
): Promise<BranchEngine<O>> {
  const { options, design } = trunk
  const parts = await accounts.partsOf(state)
  const keyOf = (key: string) => sdkKeyOfBranch(options.host, state, key)
  const engine = trunk.assemble(
    {
      ...options,
      storage: storageOfBranch(options.storage, parts),
      // Nothing that happens in a branch is reported outside it, and only the trunk has maintenance.
      hooks: [],
      exporters: undefined,
      send: false,
      changeLogDays: undefined,
      countEvaluations: false,
      sdk: { ...options.sdk, keyOf },
    },
    { ...design, branches: undefined, maintenance: [], pastStorages: () => () => noPast(state.name) },
    journalingWriting,
  )
  const nested = () => fail('invalid_request', { message: `${state.name} is a branch, and a branch has no branches` })
  return Object.assign(engine, {
    ...infoOf(state),
    branch: async () => nested(),
    branches: { list: async () => nested(), delete: async () => nested() },
    diff: () => diffBranch(trunk.pipeline, parts),
    async merge(mergeOptions: MergeOptions) {
      const result = await mergeBranch(trunk.pipeline, parts, mergeOptions)
      await accounts.delete(state.name)
      return result
    },
    runDueTasks: async () => ({ delivered: 0, failed: 0, more: false }),
    async sdkKeys({ projectKey, environmentKey }: EnvironmentRef) {
      const reader = new StorageReader(branchStorage(parts))
      const { apiKey, mobileKey, id } =
        (await reader.get(environments, { projectKey, environmentKey })) ?? fail('not_found')
      return { sdkKey: await keyOf(apiKey), mobileKey: await keyOf(mobileKey), environmentId: await keyOf(id) }
    },
  })
}
