import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formReader } from './form-reader.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const text = (pieces: readonly Uint8Array[]) => new TextDecoder().decode(concatenate(pieces))

function concatenate(pieces: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(pieces.flatMap((piece) => [...piece]))
}

interface Part {
  readonly name: string
  readonly filename?: string
  readonly content: Uint8Array
}

/** Returns a form as the platform serializes it, independently of the reader. */
async function formBody(parts: readonly Part[]) {
  const form = new FormData()
  for (const { name, filename, content } of parts) {
    if (filename === undefined) form.append(name, new TextDecoder().decode(content))
    else form.append(name, new File([content as BlobPart], filename))
  }
  const response = new Response(form)
  const [, boundary = ''] = /boundary=(.*)$/.exec(response.headers.get('content-type') ?? '') ?? []
  return { boundary, body: new Uint8Array(await response.arrayBuffer()) }
}

/** Reads a body in pieces; the sizes are used in turn. */
function read(body: Uint8Array, boundary: string, sizes: readonly number[] = [body.length]) {
  const form = formReader(boundary, 'file')
  const pieces: Uint8Array[] = []
  for (let offset = 0, pieceIndex = 0; offset < body.length; pieceIndex++) {
    const size = Math.max(1, sizes[pieceIndex % sizes.length] ?? 1)
    pieces.push(...form.push(body.subarray(offset, offset + size)))
    offset += size
  }
  const error = form.end()
  return { file: concatenate(pieces), fault: error, fields: form.fields, filename: form.filename }
}

const form = (...lines: string[]) => bytes(lines.join('\r\n'))

describe('a form', () => {
  it('has the same content in pieces of any size', async () => {
    // The content consists of line breaks and hyphens, because delimiters do.
    const content = fc
      .array(fc.constantFrom('\r', '\n', '-', '--', '\r\n--', 'a', 'ü', '\0'), { maxLength: 40 })
      .map((parts) => bytes(parts.join('')))
    const sizes = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 8 })
    const value = fc.string({ unit: 'grapheme', maxLength: 20 }).filter((value) => !/[\r\n]/.test(value))
    await fc.assert(
      fc.asyncProperty(content, sizes, value, fc.boolean(), async (file, pieceSizes, mode, fileFirst) => {
        const parts: Part[] = [
          { name: 'file', filename: 'keys "of" me.csv', content: file },
          { name: 'mode', content: bytes(mode) },
        ]
        const { body, boundary } = await formBody(fileFirst ? parts : parts.toReversed())
        const result = read(body, boundary, pieceSizes)
        expect(result.fault).toBeUndefined()
        expect(result.filename).toBe('keys "of" me.csv')
        expect(result.fields).toEqual({ mode: new TextDecoder().decode(bytes(mode)) })
        expect(result.file).toEqual(file)
      }),
    )
  })

  it('may have a preamble, an epilogue, and spaces after a delimiter', () => {
    const body = form(
      'to be ignored',
      '--b \t',
      'content-type: text/csv',
      'CONTENT-DISPOSITION: form-data; filename=x.csv; name=file',
      '',
      'a',
      '--b--',
      'to be ignored',
      '--b',
      'content-disposition: form-data; name="file"',
      '',
      'b',
    )
    expect(read(body, 'b', [1])).toMatchObject({ file: bytes('a'), filename: 'x.csv', fault: undefined })
  })

  it('may contain the beginning of a delimiter', () => {
    const content = '\r\n--bo\r\n--b\r--boun'
    const body = form('--bound', 'content-disposition: form-data; name="file"', '', content, '--bound--', '')
    expect(text([read(body, 'bound', [3]).file])).toBe(content)
  })

  it('may have an empty file', () => {
    const body = form('--b', 'content-disposition: form-data; name="file"', '', '', '--b--')
    expect(read(body, 'b')).toMatchObject({ file: bytes(''), fault: undefined, filename: undefined })
  })

  it('may have field names such as `__proto__`', () => {
    const part = (name: string) => ['--b', `content-disposition: form-data; name="${name}"`, '', 'x']
    const { fields } = read(form(...part('__proto__'), ...part('constructor'), ...part('file'), '--b--'), 'b')
    expect(Object.keys(fields)).toEqual(['__proto__', 'constructor'])
    expect(({} as { x?: unknown }).x).toBeUndefined()
  })
})

const dispositionHeader = (name: string) => `content-disposition: form-data; name="${name}"`

describe('formReader with an invalid form', () => {
  it.each<[string, { attribute: string; reason: string }, readonly string[]]>([
    [
      'no file',
      { attribute: 'file', reason: 'must be present' },
      ['--b', dispositionHeader('mode'), '', 'merge', '--b--'],
    ],
    [
      'two files',
      { attribute: 'file', reason: 'must be one file' },
      ['--b', dispositionHeader('file'), '', 'a', '--b', dispositionHeader('file'), '', 'b', '--b--'],
    ],
    [
      'no closing delimiter',
      { attribute: '', reason: 'The request body is incomplete' },
      ['--b', dispositionHeader('file'), '', 'a', '--b'],
    ],
    ['a body that is not a form', { attribute: '', reason: 'The request body is incomplete' }, ['a', 'b']],
    [
      'a part without a name',
      { attribute: '', reason: 'A part of the form has no name' },
      ['--b', '', '', 'a', '--b--'],
    ],
    [
      'a long field',
      { attribute: 'mode', reason: 'must have at most 8192 bytes' },
      ['--b', dispositionHeader('mode'), '', 'm'.repeat(8_193), '--b', dispositionHeader('file'), '', 'a', '--b--'],
    ],
    [
      'headers that are too long',
      { attribute: '', reason: 'The headers of a part of the form are too long' },
      ['--b', `x: ${'y'.repeat(9_000)}`, dispositionHeader('file'), '', 'a', '--b--'],
    ],
    [
      'too many fields',
      { attribute: '', reason: 'The form has more than 100 fields' },
      [...Array.from({ length: 101 }, (_, i) => ['--b', dispositionHeader(`f${i}`), '', '']).flat(), '--b--'],
    ],
  ])('reports: %s', (_, error, lines) => {
    expect(read(form(...lines), 'b', [7]).fault).toEqual(error)
  })

  it('reports an error before the end of the body', () => {
    const reader = formReader('b', 'file')
    reader.push(form('--b', dispositionHeader('mode'), '', 'm'.repeat(9_000)))
    expect(reader.error?.attribute).toBe('mode')
  })
})
