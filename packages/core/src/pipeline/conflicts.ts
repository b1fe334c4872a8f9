import type { JsonPatch, SemanticPatch } from '../operation/body.ts'
import { splitPath } from '../operation/change-log/shown-change.ts'
import { shownConflicts } from '../operation/change-log/shown-conflicts.ts'
import type { ResponseFormat } from '../operation/context.ts'
import type { ChangeConflict } from '../operation/errors.ts'
import { escapeToken } from '../rules/json-delta.ts'
import { movedElements, overlaps } from '../rules/overlap/index.ts'
import type { ChangedDocument } from '../storage/changed-document.ts'
import type { Versioned } from '../storage/collection.ts'
import type { DecodedCall } from './call-state.ts'

/** Three versions of one document. */
export interface DocumentVersions {
  /** The document as the first run of the call has read it. */
  readonly base: Versioned
  /** The newest document, after the changes of other calls. */
  readonly theirs: Versioned
  /** The document that the call would store. */
  readonly yours: Versioned
}

/**
 * Returns the parts of a document that a call would overwrite although other calls have changed them concurrently
 * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d11-json-patch). Properties that the engine itself
 * maintains never conflict. Paths and values have the form of the response that shows the document.
 */
export function conflictsIn(
  { collection, keys }: ChangedDocument,
  { base, theirs, yours }: DocumentVersions,
  call: DecodedCall,
  format: ResponseFormat,
): readonly ChangeConflict[] {
  const { computed, secrets, shown } = collection
  if (!collection.changes) return []
  const pointer = collection.shownAt(keys)
  const tokens = pointer.split('/').slice(1)
  const actions = collection.changes as Readonly<Record<string, unknown>>
  const isCompared = (name: string) => actions[name] != null && !computed.includes(name)
  // Properties under the names that responses use, because a patch refers to these names.
  const responseProperties = (document: Versioned) => {
    const properties = Object.entries(document).flatMap(([name, value]) => {
      const shownName = shown[name] === undefined ? name : shown[name]
      return isCompared(name) && typeof shownName === 'string' ? [[shownName, value] as const] : []
    })
    return tokens.reduceRight((value: object, token) => ({ [token]: value }), Object.fromEntries(properties))
  }
  // All other parts are compared in their stored form, because a response can omit some of them.
  const stored = (document: Versioned) =>
    Object.fromEntries(
      Object.entries(document).filter(
        ([name]) => isCompared(name) && shown[name] !== undefined && typeof shown[name] !== 'string',
      ),
    )
  const versions = {
    base: responseProperties(base),
    theirs: responseProperties(theirs),
    yours: responseProperties(yours),
  }
  const patch = patchOf(call)
  const moved = patch?.format === 'json-patch' ? movedElements(patch.operations, versions.base, versions.theirs) : []
  const overwritten = overlaps(versions, { changesElements: (list) => !replaces(call, list) })
  const others = overlaps(
    { base: stored(base), theirs: stored(theirs), yours: stored(yours) },
    { changesElements: (list) => !replaces(call, `${pointer}${list}`) },
  )
  const secretNames = secrets.map(String).map((name) => shown[name] ?? name)
  const isSecret = (path: string) => secretNames.includes(path.split('/')[tokens.length + 1] ?? '')
  return [
    ...[...overwritten, ...moved].map((conflict) => (isSecret(conflict.path) ? { path: conflict.path } : conflict)),
    ...[...new Set(others.map(({ path }) => splitPath(path).name))].flatMap((name) => {
      const valueIn = (document: Versioned) => stored(document)[name]
      const whole = {
        path: `/${escapeToken(name)}`,
        base: valueIn(base),
        theirs: valueIn(theirs),
        yours: valueIn(yours),
      }
      return shownConflicts(collection, keys, whole, format)
    }),
  ]
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
