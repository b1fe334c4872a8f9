import type { Operation } from '@halyard/core'
import { letters, singular } from '../read-manifest.ts'

interface Segment {
  readonly text: string
  readonly operations: Operation[]
  readonly below: Map<string, Segment>
}

const root = '/api/v2/'

/**
 * Writes the table of operations as `readManifest` reads it.
 *
 * @throws Error for an operation that the manifest cannot say.
 */
export function encodeManifest(operations: readonly Operation[]): string {
  const tree: Segment = { text: '', operations: [], below: new Map() }
  for (const operation of [...operations].sort((a, b) => compare(a.path, b.path))) plant(tree, operation)
  return [...tree.below.values()].map((segment) => textOf(segment, 0, '', false)).join('')
}

function plant(tree: Segment, operation: Operation): void {
  const { id, path } = operation
  if (!path.startsWith(root) || /\d/.test(path.slice(root.length) + id)) throw new Error(`${id}: ${path} has no place`)
  let at = tree
  for (const part of path.slice(root.length).split('/')) {
    const text = part.replace(/^\{(\w+)\}$/, ':$1')
    let next = at.below.get(text)
    if (!next) at.below.set(text, (next = { text, operations: [], below: new Map() }))
    at = next
  }
  at.operations.push(operation)
}

/** @param first whether it stands right after the segment above it. */
function textOf({ text, operations, below }: Segment, depth: number, inherited: string, first: boolean): string {
  let noun = inherited
  let written = (first ? '/' : depth) + text
  let open: string | undefined
  // What is done to the noun that is known already comes first, and what has a name of its own last.
  const rank = (one: Named) => (one.noun === inherited ? 0 : one.letter > 'Z' ? 1 : 2)
  const named = operations.map(nameOf)
  for (const one of named.sort((a, b) => rank(a) - rank(b) || compare(a.noun, b.noun) || compare(a.letter, b.letter))) {
    if (one.noun !== noun) written += ` ${nounAfter(noun, one.noun, text)}.`
    else if (open === undefined) written += '.'
    noun = open = one.noun
    written += one.letter
  }
  return [written, ...[...below.values()].map((segment, at) => textOf(segment, depth + 1, noun, at === 0))].join('')
}

interface Named {
  readonly noun: string
  readonly letter: string
}

function nameOf({ id, method, body, success }: Operation): Named {
  const type = body?.kind === 'upload' ? body.mediaType : success.mediaType
  if (type !== undefined && type !== 'text/csv') throw new Error(`${id}: its file is no text/csv`)
  const file = body?.kind === 'upload' ? 'sent' : type && 'answered'
  const fitting = Object.entries(letters)
    .map(([letter, meaning]) => [letter, ...meaning.split(' ')] as [string, string, string, string?])
    .filter(([, itsMethod, , itsFile]) => itsMethod === method && itsFile === file)
  for (const [letter, , verb] of fitting) {
    const noun = id.slice(verb.length)
    if (!id.startsWith(verb) || !/^[A-Z]/.test(noun)) continue
    if (letter !== 'l') return { noun, letter }
    if (noun.endsWith('s')) return { noun: noun.slice(0, -1), letter }
  }
  const bare = fitting.find(([letter]) => letter !== 'l')
  if (!bare) throw new Error(`${id}: no letter stands for it`)
  return { noun: id, letter: bare[0].toUpperCase() }
}

function nounAfter(before: string, noun: string, segment: string): string {
  if (noun === singular(segment)) return ''
  return before !== '' && noun.startsWith(before) ? `+${noun.slice(before.length)}` : noun
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
