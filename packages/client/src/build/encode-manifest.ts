import type { Operation } from '@halyard/core/operations'

interface Segment {
  readonly text: string
  readonly operations: Operation[]
  readonly below: Map<string, Segment>
}

const root = '/api/v2/'

/**
 * Writes the table of operations as `readManifest` reads it.
 *
 * @returns a line for each segment right below `/api/v2`, with all that is below it.
 * @throws Error for an operation that the manifest cannot say.
 */
export function encodeManifest(operations: readonly Operation[]): string[] {
  const tree: Segment = { text: '', operations: [], below: new Map() }
  // A parameter before what is fixed: more of what follows a collection is then the same.
  const placed = operations.map((operation) => ({ operation, place: operation.path.replaceAll('{', ':') }))
  for (const { operation } of placed.sort((a, b) => compare(a.place, b.place))) plant(tree, operation)
  return [...tree.below.values()].map((segment) => textOf(segment, { depth: 1, text: '', noun: '' }, false))
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

/** What a segment stands below. */
interface Above {
  readonly depth: number
  readonly text: string
  readonly noun: string
}

/** @param first whether it stands right after the segment above it. */
function textOf({ text, operations, below }: Segment, above: Above, first: boolean): string {
  const done = new Map<string, string[]>()
  for (const operation of operations) {
    const { form, action } = said(operation, text, above.noun)
    done.set(form, [...(done.get(form) ?? []), action])
  }
  // The noun that comes last is that of what is below: one that is written out, if there is any.
  const forms = done.size > 0 ? [...done.keys()].sort(compare) : ['']
  const name = text === `:${/(\w+)s$/.exec(above.text)?.[1]}Key` ? ':' : text
  const written = forms.map((form, at) =>
    [first && at === 0 ? '/' : above.depth, name, form && ` ${form}`, ...(done.get(form) ?? []).sort(compare)].join(''),
  )
  const here = { depth: above.depth + 1, text, noun: nounOf(forms.at(-1) ?? '', text, above.noun) }
  return [...written, ...[...below.values()].map((one, at) => textOf(one, here, at === 0))].join('')
}

/** An operation of a segment, with the shortest form of its noun. */
function said({ id, method, body, success }: Operation, segment: string, above: string) {
  const type = body?.kind === 'upload' ? body.mediaType : success.mediaType
  if (type !== undefined && type !== 'text/csv') throw new Error(`${id}: its file is no text/csv`)
  const [, verb = '', noun] = /^([a-z]+)([A-Z].*)$/.exec(id) ?? []
  if (!noun || verb.endsWith('s')) throw new Error(`${id}: it has no verb and noun`)
  const kebab = noun.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).slice(1)
  const action = `.${method}${verb === method.toLowerCase() ? '' : verb}`
  const file = type ? '!' : ''
  const ways = formsOf(kebab, segment, above).map((form) => ({ form, action: action + file }))
  if (kebab.endsWith('s'))
    for (const form of formsOf(kebab.slice(0, -1), segment, above)) ways.push({ form, action: `${action}s${file}` })
  return ways.sort((a, b) => a.form.length - b.form.length)[0] as { form: string; action: string }
}

/** All that comes to a noun below another one. */
function formsOf(noun: string, segment: string, above: string): string[] {
  const withOwn = noun.replace(segment.replace(/s$/, ''), '*')
  const withAbove = (form: string) => (above === '' ? form : form.replace(above, '+'))
  return ['', withOwn, withAbove(noun), withAbove(withOwn), noun].filter(
    (form) => nounOf(form, segment, above) === noun,
  )
}

/** What a form comes to. */
function nounOf(form: string, segment: string, above: string): string {
  return (form || (segment.startsWith(':') ? '+' : '*')).replace('+', above).replace('*', segment.replace(/s$/, ''))
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
