import type { Host } from '../../operation/context.ts'
import type { EngineRequest } from '../../operation/engine-request.ts'
import type { BranchState } from '../../storage/branch/branch-state.ts'

/** The keys by which SDKs connect to an environment of a branch. */
export interface BranchSdkKeys {
  /** Secret key of server-side SDKs. */
  readonly sdkKey: string
  /** Secret key of mobile SDKs. */
  readonly mobileKey: string
  /** Public id for SDKs in web pages. */
  readonly environmentId: string
}

/** Length of the part of a key that is computed, in characters. */
const hashLength = 40

/**
 * Returns the key of a branch for a key of an environment. It ends with the name of the branch, and does not reveal the
 * key of the environment.
 */
export async function sdkKeyOfBranch(host: Host, { name, secret }: BranchState, key: string): Promise<string> {
  const prefix = /^[a-z]+-/.exec(key)?.[0] ?? ''
  const hash = await host.sha256(`${secret} ${key}`)
  return `${prefix}${hash.slice(0, hashLength)}.${name}`
}

const keyPattern = /(?:^|[ /])(?:[a-z]+-)?[0-9a-f]{40}\.([A-Za-z0-9][A-Za-z0-9._-]{0,99})(?:$|\/)/

/**
 * Returns the name of the branch whose key a request has, in a header or in its path; undefined when the key belongs to
 * no branch.
 */
export function branchOfSdkRequest({ header, path }: EngineRequest): string | undefined {
  const sent = header('authorization') ?? header('x-api-key') ?? path
  return keyPattern.exec(sent)?.[1]
}
