import { isDeepStrictEqual } from 'node:util'
import { applyPatch, parsePatch } from '@halyard/core/json-patch'
import fjp, { type Operation } from 'fast-json-patch'
import { produce } from 'immer'
import { immutableJSONPatch, type JSONPatchDocument } from 'immutable-json-patch'
import { applyPatch as applyRfc6902 } from 'rfc6902'
import { clone } from 'rfc6902/util.js'
import { type Comparison, compare, type Suite } from '../compare.ts'
import { createSegmentFixture } from '../segment-fixture.ts'

interface Peer {
  readonly name: string
  apply(document: object, patch: Operation[]): unknown
}

/**
 * Each library is used in the way that its manual shows. The library must not change the document, and must validate if
 * it can.
 */
const peers: readonly Peer[] = [
  {
    name: 'fast-json-patch, validated',
    apply: (document, patch) => fjp.applyPatch(document, patch, true, false).newDocument,
  },
  {
    name: 'rfc6902 on its own clone',
    apply(document, patch) {
      const copy = clone(document)
      const [failure] = applyRfc6902(copy, patch as never).filter((error) => error !== null)
      if (failure) throw failure
      return copy
    },
  },
  {
    name: 'immutable-json-patch',
    apply: (document, patch) => immutableJSONPatch(document, patch as JSONPatchDocument),
  },
  {
    name: 'immer with fast-json-patch, validated',
    apply: (document, patch) =>
      produce(document, (draft) => {
        fjp.applyPatch(draft, patch, true, true)
      }),
  },
]

const oneOperation: Operation[] = [{ op: 'replace', path: '/name', value: 'Beta testers' }]

const tenOperations: Operation[] = [
  { op: 'test', path: '/key', value: 'beta-users' },
  ...oneOperation,
  { op: 'replace', path: '/description', value: 'People who asked twice' },
  { op: 'add', path: '/tags/-', value: 'asked' },
  { op: 'add', path: '/included/-', value: 'user-2000' },
  { op: 'remove', path: '/included/0' },
  { op: 'add', path: '/excluded/0', value: 'user-3' },
  { op: 'replace', path: '/rules/0/clauses/0/values', value: ['@example.com', '@example.org'] },
  { op: 'move', from: '/rules/1', path: '/rules/0' },
  { op: 'remove', path: '/tags/0' },
]

/** Measures applying a JSON Patch to a document that must not be changed. */
export const jsonPatch: Suite = {
  name: 'json-patch',
  about:
    'A patch as JSON.parse returns it is validated and applied to a frozen segment of about 4 KB, which stays unchanged; all libraries return the same document.',
  async run() {
    const { engine, token, keys } = await createSegmentFixture()
    // As a client receives it: links of a response in process are objects of a class, which some libraries do not copy.
    const document = deepFreeze(JSON.parse(JSON.stringify(await engine.api.getSegment(keys, { as: token }))))
    await engine.close()
    const results: Comparison[] = []
    for (const [name, patch] of [
      ['1 operation', oneOperation],
      ['10 operations', tenOperations],
    ] as const) {
      const expected = ours(document, patch)
      for (const peer of peers) {
        if (!isDeepStrictEqual(peer.apply(document, patch), expected)) throw new Error(`${peer.name} differs`)
        const run = () => peer.apply(document, patch)
        results.push(
          await compare({
            suite: 'json-patch',
            case: name,
            ours: () => ours(document, patch),
            peer: { name: peer.name, run },
          }),
        )
      }
    }
    return results
  },
}

function ours(document: object, patch: Operation[]): unknown {
  const parsed = parsePatch(patch)
  if (!parsed.ok) throw new Error(parsed.errors[0]?.reason)
  const outcome = applyPatch(document, parsed.operations)
  if (!outcome.ok) throw new Error(outcome.reason)
  return outcome.value
}

function deepFreeze<T extends object>(value: T): T {
  for (const property of Object.values(value))
    if (typeof property === 'object' && property !== null) deepFreeze(property)
  return Object.freeze(value)
}
