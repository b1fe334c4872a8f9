import type { EngineOptions } from '../operation/engine-options.ts'
import type { EngineRequest } from '../operation/engine-request.ts'
import { fail } from '../operation/errors.ts'
import type { Operation } from '../operation/operation.ts'
import { stableVersions } from '../operation/stable-versions.ts'
import type { MatchedCall, ReceivedRequest } from './call-state.ts'

const knownVersions = new Set(['beta', ...stableVersions.map(String)])

/**
 * Stage 2: refuses an unknown version, and a beta operation without the version header `beta`
 * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d5-version-header).
 */
export function checkVersion<C extends ReceivedRequest & MatchedCall>(
  { options }: { readonly options: EngineOptions },
  call: C,
): C {
  const version = versionOf(options, call.request)
  if (version !== undefined && !knownVersions.has(version)) {
    fail('invalid_request', { errors: [{ attribute: options.versionHeaders[0], reason: 'must be a known version' }] })
  }
  if (needsBetaHeader(options, call.operation) && version !== 'beta') {
    fail('forbidden', { message: `This operation is in beta: send the header ${options.versionHeaders[0]}: beta.` })
  }
  return call
}

/** Returns the version that a request names, if it names one. */
export function versionOf(options: EngineOptions, request: EngineRequest): string | undefined {
  for (const name of options.versionHeaders) {
    const value = request.header(name.toLowerCase())
    if (value !== undefined && value !== '') return value
  }
  return undefined
}

function needsBetaHeader(options: EngineOptions, operation: Operation): boolean {
  if (operation.beta === undefined || options.betaGate === 'off') return false
  return operation.beta === 'declared' || options.betaGate === 'all'
}
