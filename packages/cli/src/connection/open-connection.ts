import { isDeepStrictEqual } from 'node:util'
import { createClient } from '@halyard/client'
import { type BoundApi, createEngine, type Engine } from '@halyard/core'
import { usageError } from '../cli-error.ts'
import { openStorage } from '../open-storage.ts'
import type { Environment } from '../options.ts'
import { type Profile, profileOf } from './profiles.ts'

/** Calls an operation by its id: with the input that `engine.api` accepts. */
export type CallOperation = (
  id: string,
  input: Readonly<Record<string, unknown>>,
  options?: { readonly ifMatch?: string },
) => Promise<unknown>

/** The API that commands of operations call. */
export interface Connection {
  readonly call: CallOperation
  /** The operations as functions. */
  readonly api: BoundApi
  /** The base address and the token of a server; undefined for a storage in this process. */
  readonly server: { readonly url: string; readonly token: string | undefined } | undefined
  /** The engine on a storage in this process; undefined for a server. */
  readonly engine: Engine | undefined
  close(): Promise<void>
}

/**
 * Options that name the API, the project and the environment. The environment variables and the profile can preset each
 * of them.
 */
export type Settings = { readonly [Name in keyof Profile]?: Profile[Name] | undefined }

/**
 * Returns the settings of a command. An option takes precedence over the environment, and the environment over the
 * profile. A storage in a source of higher precedence also replaces a server in a source of lower precedence. The token
 * and the account of a profile are used only for its own server or storage, so that no other server receives the token.
 */
export async function settingsOf(
  typedOptions: Settings & { readonly profile?: string | undefined },
  env: Environment,
): Promise<Settings> {
  const { profile: name = env.HALYARD_PROFILE || undefined, ...typedSettings } = typedOptions
  const profile = await profileOf(name, env)
  const fromEnvironment: Settings = {
    url: env.HALYARD_URL,
    token: env.HALYARD_TOKEN,
    storage: env.HALYARD_STORAGE,
    account: env.HALYARD_ACCOUNT,
    project: env.HALYARD_PROJECT,
    environment: env.HALYARD_ENVIRONMENT,
  }
  const [options, environment, presets] = [presentOf(typedSettings), presentOf(fromEnvironment), presentOf(profile)]
  const target = targetOf([options, environment, presets].find(namesTarget) ?? {})
  const isOwnTarget = !namesTarget(presets) || isDeepStrictEqual(targetOf(presets), target)
  const { token: _token, account: _account, ...shared } = presets
  return { ...(isOwnTarget ? presets : shared), ...environment, ...options, ...target }
}

const namesTarget = ({ url, storage }: Settings) => url !== undefined || storage !== undefined

/** Returns the server that settings name, or else the storage. */
const targetOf = ({ url, storage }: Settings) => ({ url, storage: url === undefined ? storage : undefined })

const presentOf = (settings: Settings): Settings =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined && value !== ''))

/**
 * Opens the API that the settings name: a server, or a storage in this process.
 *
 * @param at time of the state that calls read, ISO 8601 with a time zone. Default: now.
 * @throws CliError when the settings name neither a server nor a storage, or a server without a token.
 */
export async function openConnection({ url, token, storage, account }: Settings, at?: string): Promise<Connection> {
  if (url !== undefined) return openServer(url, token, at)
  if (storage === undefined) {
    throw usageError('name a server with --url or HALYARD_URL, or a storage with --storage or HALYARD_STORAGE')
  }
  const engine = createEngine({
    storage: await openStorage(storage),
    clock: () => Date.now(),
    ...(account ? { account } : {}),
  })
  await engine.migrate()
  const api = (at === undefined ? engine : engine.at(at)).as(token ?? { role: 'owner' })
  return { call: callOf(api), api, server: undefined, engine, close: () => engine.close() }
}

function openServer(url: string, token: string | undefined, at: string | undefined): Connection {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw usageError(`--url must be an http(s) address, not "${url}"`)
  const headers: Record<string, string> = at === undefined ? {} : { 'halyard-at': at }
  const api = createClient({ baseUrl: url, headers, ...(token === undefined ? {} : { token }) }).api
  return {
    call: callOf(api),
    api,
    server: { url: url.replace(/\/+$/, ''), token },
    engine: undefined,
    close: async () => {},
  }
}

type Call = (input: object, options: object) => Promise<unknown>

function callOf(api: object): CallOperation {
  return async (id, input, options = {}) => {
    const operation: unknown = Reflect.get(api, id)
    if (typeof operation !== 'function') throw usageError(`this version of halyard does not have the operation ${id}`)
    return (operation as Call)(input, options)
  }
}
