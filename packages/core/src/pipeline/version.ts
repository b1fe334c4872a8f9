import type { EngineOptions } from '../operation/engine-options.ts'
import { fail } from '../operation/errors.ts'
import type { Operation } from '../operation/operation.ts'
import type { WireRequest } from '../operation/wire.ts'

/** Dates that name a stable version of the API (D5). */
const stableVersions = new Set(['20160426', '20191212', '20210729', '20220603', '20240415'])

/** Door 2: beta operations want the version header to say so; an unknown version is refused everywhere (D5). */
export function checkVersion(options: EngineOptions, operation: Operation, request: WireRequest): void {
  const version = versionOf(options, request)
  if (version !== undefined && version !== 'beta' && !stableVersions.has(version)) {
    fail('invalid_request', { errors: [{ attribute: options.versionHeaders[0], reason: 'must be a known version' }] })
  }
  if (gated(options, operation) && version !== 'beta') {
    fail('forbidden', { message: `This operation is in beta: send the header ${options.versionHeaders[0]}: beta.` })
  }
}

/** The version that a request asks for; undefined where it says nothing. */
export function versionOf(options: EngineOptions, request: WireRequest): string | undefined {
  for (const name of options.versionHeaders) {
    const value = request.header(name.toLowerCase())
    if (value !== undefined && value !== '') return value
  }
  return undefined
}

function gated(options: EngineOptions, operation: Operation): boolean {
  if (operation.beta === undefined || options.betaGate === 'off') return false
  return operation.beta === 'declared' || options.betaGate === 'all'
}
