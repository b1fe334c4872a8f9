import type { Operation } from '@halyard/core/operations'
import type { AccountStorage } from '@halyard/core/storage'
import type { TransportClient } from '../../transport/transport-harness.ts'
import { requestOf } from '../operation-fixture.ts'
import { parametersOfDocuments } from './logged-state.ts'

/** Bodies of the responses of all operations that read, by method and path. */
export type AccountResponses = ReadonlyMap<string, ResponseBody>

interface ResponseBody {
  readonly text: string
  /** Returns the value, which is compared only where the texts differ, because most texts are equal. */
  readonly value: () => unknown
}

/** Parameters of paths that have other names in the addresses of documents. */
const aliases: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '/api/v2/members/{id}': { id: 'memberId' },
}

/** Values for parameters that no document has. */
const literals: Readonly<Record<string, readonly string[]>> = {
  resourceType: ['flags', 'segments'],
  userKey: ['user-1'],
  contextKey: ['user-1'],
}

/** Operations whose responses a revert changes by its nature. */
const excluded: Readonly<Record<string, string>> = {
  listChangeLog: 'the revert is an entry of its own',
  getChangeLogEntry: 'entries do not change',
  getCaller: 'it shows when the token was used last',
  getToken: 'it shows when the token was used last',
  listTokens: 'it shows when the tokens were used last',
  getAIConfigVariation: 'it lists all versions, and a revert is a new version',
  getFlagStatus: 'the status follows from the date of the last change',
  listFlagStatuses: 'the status follows from the date of the last change',
  getFlagStatusAcrossEnvironments: 'the status follows from the date of the last change',
}

/** Calls every reading operation with the keys of all stored documents, and returns the responses that succeed. */
export async function accountResponses(
  operations: readonly Operation[],
  client: TransportClient,
  account: AccountStorage,
): Promise<AccountResponses> {
  const documents = withEnvironments(await parametersOfDocuments(account))
  const responses = new Map<string, ResponseBody>()
  for (const operation of operations) {
    // A revert is a new version of a resource with versions, and webhooks are notified of it.
    if (operation.method !== 'GET' || operation.id in excluded || /\/(versions|deliveries)\b/.test(operation.path))
      continue
    for (const params of parametersOf(operation, documents)) {
      const request = requestOf(operation, { params, query: queryOf(operation) })
      const { status, body } = await client.send(request)
      if (status >= 500) throw new Error(`${request.path}: ${status} ${body}`)
      if (status !== 200) continue
      const isJson = operation.success.mediaType === undefined
      const isVersion = versioned.test(operation.path)
      const value = () => (isJson ? withoutVersions(JSON.parse(body), isVersion) : body)
      responses.set(`GET ${request.path}`, { text: body, value })
    }
  }
  return responses
}

type Parameters = Readonly<Record<string, string>>

/**
 * Adds the parameters of flags and AI configs in all environments. They are added separately because a configuration in
 * an environment need not be stored.
 */
function withEnvironments(documents: readonly Parameters[]): readonly Parameters[] {
  const all = documents.filter(({ environmentKey, ...others }) => environmentKey && Object.keys(others).length === 1)
  return documents.flatMap((document) => [
    document,
    ...(document.flagKey || document.configKey ? all : [])
      .filter(({ projectKey }) => projectKey === document.projectKey && !document.environmentKey)
      .map(({ environmentKey = '' }) => ({ ...document, environmentKey })),
  ])
}

/** Returns the query of an operation. Requests up to 100 flags with full configurations; others use their defaults. */
function queryOf({ id }: Operation): Record<string, string> {
  if (id === 'listFlags') return { summary: '0', limit: '100' }
  return {}
}

/** Returns the values of the parameters of a path, for all documents that have them. */
export function parametersOf(
  { path }: Operation,
  documents: readonly Readonly<Record<string, string>>[],
): readonly Readonly<Record<string, string>>[] {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)
  const free = names.filter((name) => literals[name])
  const bound = names
    .filter((name) => !literals[name])
    .map((name) => ({ name, documentName: aliases[path]?.[name] ?? name }))
  const idsByAddress = new Map<string, Record<string, string>>()
  for (const document of bound.length === 0 ? [{}] : documents) {
    const keys: Readonly<Record<string, string>> = document
    if (bound.some(({ documentName }) => keys[documentName] === undefined || keys[documentName] === '*')) continue
    const values = bound.map(({ name, documentName }) => [name, keys[documentName]] as const)
    idsByAddress.set(JSON.stringify(values), Object.fromEntries(values) as Record<string, string>)
  }
  let all: readonly Readonly<Record<string, string>>[] = [...idsByAddress.values()]
  for (const name of free) {
    all = all.flatMap((values) => (literals[name] as readonly string[]).map((value) => ({ ...values, [name]: value })))
  }
  return all
}

const changing = /^(_?version|_versionId|variationVersion|revision|_?lastModified(Date)?|_?updatedAt)$/

/** Resources with versions, whose `createdAt` is the date of the newest version. */
const versioned = /\/(ai-configs|ai-tools|agent-optimizations)\b/

/**
 * Returns a response without versions and dates of changes.
 *
 * @param isVersion true when `createdAt` is the date of a version.
 */
function withoutVersions(value: unknown, isVersion: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutVersions(item, isVersion))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, part]) =>
      changing.test(name) || (isVersion && name === 'createdAt') ? [] : [[name, withoutVersions(part, isVersion)]],
    ),
  )
}

/**
 * Returns the differences between two sets of responses, one line for each path. Versions and dates of changes are not
 * compared, because they differ after a change and its revert.
 */
export function responseDifferences(before: AccountResponses, after: AccountResponses): readonly string[] {
  const isDifferent = (path: string) => before.get(path)?.text !== after.get(path)?.text
  const valuesOf = (all: AccountResponses) =>
    new Map([...all].flatMap(([path, { value }]) => (isDifferent(path) ? [[path, value()]] : [])))
  return differencesOf(valuesOf(before), valuesOf(after))
}

/** Returns the first difference between the values of each key, one line for each key. */
export function differencesOf(
  before: ReadonlyMap<string, unknown>,
  after: ReadonlyMap<string, unknown>,
): readonly string[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((key) => {
    const difference = firstDifference(before.get(key), after.get(key), '')
    return difference === undefined ? [] : [`${key} ${difference}`]
  })
}

function firstDifference(before: unknown, after: unknown, path: string): string | undefined {
  if (isContainer(before) && isContainer(after)) {
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const difference = firstDifference(before[name], after[name], `${path}/${name}`)
      if (difference !== undefined) return difference
    }
    return undefined
  }
  if (before === after) return undefined
  return `${path}: was ${JSON.stringify(before)?.slice(0, 200)}, is ${JSON.stringify(after)?.slice(0, 200)}`
}

function isContainer(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
