import type { JsonPatch, SemanticPatch } from '../operation/body.ts'
import type { ChangeConflict } from '../operation/errors.ts'
import { movedElements, overlaps } from '../rules/overlap/index.ts'
import type { ChangedDocument } from '../storage/changed-document.ts'
import type { Versioned } from '../storage/collection.ts'
import type { DecodedCall } from './call-state.ts'

/** Three versions of one document. */
export interface DocumentVersions {
  /** The document as the first run of the call has read it. */
  readonly base: Versioned
  /** The newest document: other calls have changed it since. */
  readonly theirs: Versioned
  /** The document that the call would store. */
  readonly yours: Versioned
}

/**
 * Returns the parts of a document that a call would overwrite although other calls have changed them concurrently
 * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d11-json-patch). Properties that the engine itself keeps are
 * no conflict.
 */
export function conflictsIn(
  { collection, keys }: ChangedDocument,
  { base, theirs, yours }: DocumentVersions,
  call: DecodedCall,
): readonly ChangeConflict[] {
  const { changes, computed, secrets } = collection
  if (!changes) return []
  const tokens = collection.shownAt(keys).split('/').slice(1)
  const actions = changes as Readonly<Record<string, unknown>>
  const shown = (document: Versioned) => {
    const properties = Object.entries(document).filter(([name]) => actions[name] != null && !computed.includes(name))
    return tokens.reduceRight((value: object, token) => ({ [token]: value }), Object.fromEntries(properties))
  }
  const versions = { base: shown(base), theirs: shown(theirs), yours: shown(yours) }
  const patch = patchOf(call)
  const moved = patch?.format === 'json-patch' ? movedElements(patch.operations, versions.base, versions.theirs) : []
  const overwritten = overlaps(versions, { changesElements: (list) => !replaces(call, list) })
  const isSecret = (path: string) => secrets.includes(path.split('/')[tokens.length + 1] ?? '')
  return [...overwritten, ...moved].map((conflict) => (isSecret(conflict.path) ? { path: conflict.path } : conflict))
}

/** Returns true when the call replaces a list as a whole; false when it only adds and removes elements. */
function replaces(call: DecodedCall, list: string): boolean {
  const patch = patchOf(call)
  if (!patch) return call.operation.method !== 'POST'
  if (patch.format === 'semantic') return patch.instructions.some(({ kind }) => /^(replace|clear)/.test(kind))
  return patch.operations.some(({ op, path }) => op !== 'test' && `${list}/`.startsWith(`${path.text}/`))
}

function patchOf({ operation, body }: DecodedCall): JsonPatch | SemanticPatch<{ readonly kind: string }> | undefined {
  // The declaration of the operation determines the type of the body.
  return operation.body?.kind === 'patch' ? (body as JsonPatch | SemanticPatch<{ readonly kind: string }>) : undefined
}
