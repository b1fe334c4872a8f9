import { type ApiError, type BoundApi, createEngine } from '@halyard/core'
import { remoteApi } from '../api-caller.ts'
import { cliError } from '../cli-error.ts'
import { openStorage } from '../open-storage.ts'
import type { OptionDeclaration } from '../options.ts'
import { storageOption } from '../storage-option.ts'

/** The target of an import: a project's environment, in a storage that this process opens or in a running engine. */
export interface ImportTarget {
  readonly api: BoundApi
  readonly projectKey: string
  readonly environmentKey: string
  close(): Promise<void>
}

/** The options that every import has. */
export const targetOptions = {
  project: { type: 'string', preset: 'demo', help: 'project to fill; created when it does not exist' },
  environment: { type: 'string', preset: 'production', help: 'environment that releases reach' },
  storage: storageOption,
  url: { type: 'string', help: 'fill a running engine at this address instead' },
  token: { type: 'string', env: 'HALYARD_TOKEN', help: 'access token for --url' },
} as const satisfies Record<string, OptionDeclaration>

export type TargetValues = Readonly<Record<keyof typeof targetOptions, string | undefined>>

/**
 * Opens the target that the options name, and creates the project and the environment when they do not exist.
 *
 * @throws CliError when it cannot be opened.
 */
export async function openTarget(values: TargetValues): Promise<ImportTarget> {
  const target = await openExistingTarget(values)
  try {
    await ensureTarget(target)
    return target
  } catch (error) {
    await target.close()
    throw error
  }
}

/**
 * Opens the target that the options name, without creating anything.
 *
 * @throws CliError when it cannot be opened.
 */
export async function openExistingTarget(values: TargetValues): Promise<ImportTarget> {
  const opened = values.url === undefined ? await openLocal(values.storage as string) : openRemote(values)
  return { ...opened, projectKey: values.project as string, environmentKey: values.environment as string }
}

function openRemote({ url, token }: TargetValues) {
  if (token === undefined) throw cliError('--url needs --token, or HALYARD_TOKEN')
  return remoteApi(url as string, token)
}

async function openLocal(option: string) {
  const engine = createEngine({ storage: await openStorage(option), clock: () => Date.now() })
  await engine.migrate()
  return { api: engine.as({ role: 'owner' }), close: () => engine.close() }
}

/** Creates the project when it does not exist. */
export async function ensureProject({ api, projectKey }: Pick<ImportTarget, 'api' | 'projectKey'>): Promise<void> {
  await createIfMissing(api.getProject({ projectKey }), () =>
    api.createProject({ body: { key: projectKey, name: projectKey } }),
  )
}

async function ensureTarget(target: Omit<ImportTarget, 'close'>): Promise<void> {
  const { api, projectKey, environmentKey } = target
  await ensureProject(target)
  await createIfMissing(api.getEnvironment({ projectKey, environmentKey }), () =>
    api.createEnvironment({ projectKey, body: { key: environmentKey, name: environmentKey, color: '417505' } }),
  )
}

async function createIfMissing(request: Promise<unknown>, create: () => Promise<unknown>): Promise<void> {
  try {
    await request
  } catch (error) {
    if ((error as ApiError).code !== 'not_found') throw error
    await create()
  }
}
