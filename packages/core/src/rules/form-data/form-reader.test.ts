import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formReader } from './form-reader.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const text = (pieces: readonly Uint8Array[]) => new TextDecoder().decode(joined(pieces))

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(pieces.flatMap((piece) => [...piece]))
}

interface Part {
  readonly name: string
  readonly filename?: string
  readonly content: Uint8Array
}

/** A form as the platform writes it, which knows nothing of the reader. */
async function written(parts: readonly Part[]) {
  const form = new FormData()
  for (const { name, filename, content } of parts) {
    if (filename === undefined) form.append(name, new TextDecoder().decode(content))
    else form.append(name, new File([content as BlobPart], filename))
  }
  const response = new Response(form)
  const [, boundary = ''] = /boundary=(.*)$/.exec(response.headers.get('content-type') ?? '') ?? []
  return { boundary, body: new Uint8Array(await response.arrayBuffer()) }
}

/** Reads a body cut into pieces of these sizes, in turn. */
function read(body: Uint8Array, boundary: string, sizes: readonly number[] = [body.length]) {
  const form = formReader(boundary, 'file')
  const pieces: Uint8Array[] = []
  for (let at = 0, turn = 0; at < body.length; turn++) {
    const size = Math.max(1, sizes[turn % sizes.length] ?? 1)
    pieces.push(...form.push(body.subarray(at, at + size)))
    at += size
  }
  const fault = form.end()
  return { file: joined(pieces), fault, fields: form.fields, filename: form.filename }
}

const form = (...lines: string[]) => bytes(lines.join('\r\n'))

describe('a form', () => {
  it('comes out as it went in, however it is cut', async () => {
    // Line breaks and hyphens are what delimiters are made of.
    const content = fc
      .array(fc.constantFrom('\r', '\n', '-', '--', '\r\n--', 'a', 'ü', '\0'), { maxLength: 40 })
      .map((parts) => bytes(parts.join('')))
    const sizes = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 8 })
    const value = fc.string({ unit: 'grapheme', maxLength: 20 }).filter((one) => !/[\r\n]/.test(one))
    await fc.assert(
      fc.asyncProperty(content, sizes, value, fc.boolean(), async (file, cut, mode, fileFirst) => {
        const parts: Part[] = [
          { name: 'file', filename: 'keys "of" me.csv', content: file },
          { name: 'mode', content: bytes(mode) },
        ]
        const { body, boundary } = await written(fileFirst ? parts : parts.toReversed())
        const found = read(body, boundary, cut)
        expect(found.fault).toBeUndefined()
        expect(found.filename).toBe('keys "of" me.csv')
        expect(found.fields).toEqual({ mode: new TextDecoder().decode(bytes(mode)) })
        expect(found.file).toEqual(file)
      }),
    )
  })

  it('may begin with a preamble, end with an epilogue, and have blanks behind a delimiter', () => {
    const body = form(
      'to be overlooked',
      '--b \t',
      'content-type: text/csv',
      'CONTENT-DISPOSITION: form-data; filename=x.csv; name=file',
      '',
      'a',
      '--b--',
      'to be overlooked',
      '--b',
      'content-disposition: form-data; name="file"',
      '',
      'b',
    )
    expect(read(body, 'b', [1])).toMatchObject({ file: bytes('a'), filename: 'x.csv', fault: undefined })
  })

  it('is not ended by what only begins like a delimiter', () => {
    const content = '\r\n--bo\r\n--b\r--boun'
    const body = form('--bound', 'content-disposition: form-data; name="file"', '', content, '--bound--', '')
    expect(text([read(body, 'bound', [3]).file])).toBe(content)
  })

  it('may have an empty file', () => {
    const body = form('--b', 'content-disposition: form-data; name="file"', '', '', '--b--')
    expect(read(body, 'b')).toMatchObject({ file: bytes(''), fault: undefined, filename: undefined })
  })

  it('keeps field names that reach a prototype as names', () => {
    const part = (name: string) => ['--b', `content-disposition: form-data; name="${name}"`, '', 'x']
    const { fields } = read(form(...part('__proto__'), ...part('constructor'), ...part('file'), '--b--'), 'b')
    expect(Object.keys(fields)).toEqual(['__proto__', 'constructor'])
    expect(({} as { x?: unknown }).x).toBeUndefined()
  })
})

const named = (name: string) => `content-disposition: form-data; name="${name}"`

describe('what is wrong with a form', () => {
  it.each<[string, { attribute: string; reason: string }, readonly string[]]>([
    ['no file', { attribute: 'file', reason: 'must be present' }, ['--b', named('mode'), '', 'merge', '--b--']],
    [
      'two files',
      { attribute: 'file', reason: 'must be one file' },
      ['--b', named('file'), '', 'a', '--b', named('file'), '', 'b', '--b--'],
    ],
    ['no end', { attribute: '', reason: 'The request body breaks off' }, ['--b', named('file'), '', 'a', '--b']],
    ['nothing of a form', { attribute: '', reason: 'The request body breaks off' }, ['a', 'b']],
    [
      'a part without a name',
      { attribute: '', reason: 'A part of the form has no name' },
      ['--b', '', '', 'a', '--b--'],
    ],
    [
      'a long field',
      { attribute: 'mode', reason: 'must have at most 8192 bytes' },
      ['--b', named('mode'), '', 'm'.repeat(8_193), '--b', named('file'), '', 'a', '--b--'],
    ],
    [
      'headers without end',
      { attribute: '', reason: 'The headers of a part of the form are too long' },
      ['--b', `x: ${'y'.repeat(9_000)}`, named('file'), '', 'a', '--b--'],
    ],
    [
      'fields without end',
      { attribute: '', reason: 'The form has more than 100 fields' },
      [...Array.from({ length: 101 }, (_, i) => ['--b', named(`f${i}`), '', '']).flat(), '--b--'],
    ],
  ])('is told: %s', (_, fault, lines) => {
    expect(read(form(...lines), 'b', [7]).fault).toEqual(fault)
  })

  it('is told as soon as it is seen', () => {
    const reader = formReader('b', 'file')
    reader.push(form('--b', named('mode'), '', 'm'.repeat(9_000)))
    expect(reader.fault?.attribute).toBe('mode')
  })
})
