import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CsvOptions, type CsvRow, csvRows } from './csv-rows.ts'

async function read(chunks: Iterable<string> | AsyncIterable<string>, options?: CsvOptions): Promise<CsvRow[]> {
  const rows: CsvRow[] = []
  for await (const row of csvRows(chunks, options)) rows.push(row)
  return rows
}

/** Rows as `line: cells` or `line! fault`, for tables that can be read. */
const brief = (rows: CsvRow[]) =>
  rows.map((row) => ('cells' in row ? [row.line, ...row.cells] : `${row.line}: ${row.fault}`))

describe('csvRows reads', () => {
  it.each<[string, string, unknown[]]>([
    ['nothing', '', []],
    [
      'lines that end in CRLF',
      'a,b\r\nc,d\r\n',
      [
        [1, 'a', 'b'],
        [2, 'c', 'd'],
      ],
    ],
    [
      'lines that end in LF',
      'a,b\nc,d\n',
      [
        [1, 'a', 'b'],
        [2, 'c', 'd'],
      ],
    ],
    [
      'a last line without an end',
      'a,b\nc,d',
      [
        [1, 'a', 'b'],
        [2, 'c', 'd'],
      ],
    ],
    ['a byte order mark', '\uFEFFa,b\n', [[1, 'a', 'b']]],
    ['a byte order mark before a quote', '\uFEFF"a",b\n', [[1, 'a', 'b']]],
    [
      'a byte order mark in the middle as text',
      'a\n\uFEFF\n',
      [
        [1, 'a'],
        [2, '\uFEFF'],
      ],
    ],
    [
      'empty cells',
      ',\n"",\n,""',
      [
        [1, '', ''],
        [2, '', ''],
        [3, '', ''],
      ],
    ],
    ['spaces as text', ' a , b\n', [[1, ' a ', ' b']]],
    [
      'quoted cells',
      '"a","b"\r\n"c","d"',
      [
        [1, 'a', 'b'],
        [2, 'c', 'd'],
      ],
    ],
    ['commas in quotes', '"a,b",c\n', [[1, 'a,b', 'c']]],
    ['doubled quotes', '"say ""hi""",""""\n', [[1, 'say "hi"', '"']]],
    [
      'line breaks in quotes, and goes on counting lines',
      '"a\r\nb\nc\r",d\ne,f\n',
      [
        [1, 'a\r\nb\nc\r', 'd'],
        [4, 'e', 'f'],
      ],
    ],
    [
      'one column',
      'a\n""\nb',
      [
        [1, 'a'],
        [2, ''],
        [3, 'b'],
      ],
    ],
    [
      'past empty lines',
      '\n\r\na,b\n\n\nc,d\r\n\r\n',
      [
        [3, 'a', 'b'],
        [6, 'c', 'd'],
      ],
    ],
    ['a quoted last cell without a line end', 'a,"b"', [[1, 'a', 'b']]],
  ])('%s', async (_, text, rows) => {
    expect(brief(await read([text]))).toEqual(rows)
  })

  it('from an asynchronous source', async () => {
    async function* source() {
      yield 'a,b\nc'
      yield ',d'
    }
    expect(brief(await read(source()))).toEqual([
      [1, 'a', 'b'],
      [2, 'c', 'd'],
    ])
  })

  it('a row as soon as it is complete', async () => {
    const asked: number[] = []
    function* source() {
      for (const [i, chunk] of ['a\nb', '\nc'].entries()) {
        asked.push(i)
        yield chunk
      }
    }
    const rows = csvRows(source())
    expect((await rows.next()).value).toEqual({ line: 1, cells: ['a'] })
    expect(asked).toEqual([0])
  })
})

describe('csvRows reports and goes on after', () => {
  it.each<[string, string, unknown[]]>([
    [
      'a quote in a cell without quotes',
      'a,b\n5" pipe,x\nc,d\n',
      [[1, 'a', 'b'], '2: has a quote inside of a cell without quotes', [3, 'c', 'd']],
    ],
    ['text after a closing quote', '"a\n"b,c\nd,e\n', ['1: has text after a closing quote', [3, 'd', 'e']]],
    [
      'a quote that is never closed',
      'a,b\n"c,d\ne,f\n',
      [[1, 'a', 'b'], '2: has a quote that is never closed', [3, 'e', 'f']],
    ],
    ['a quote that is opened last', 'a\n"', [[1, 'a'], '2: has a quote that is never closed']],
    ['a carriage return alone', 'a\rb\nc\n', ['1: has a carriage return outside of quotes', [2, 'c']]],
    ['a carriage return at the very end', 'a\nb\r', [[1, 'a'], '2: has a carriage return outside of quotes']],
    [
      'rows of another width than the first',
      'a,b\nc\nd,e,f\ng,h\n',
      [
        [1, 'a', 'b'],
        '2: is of width 1, the first row of width 2',
        '3: is of width 3, the first row of width 2',
        [4, 'g', 'h'],
      ],
    ],
  ])('%s', async (_, text, rows) => {
    expect(brief(await read([text]))).toEqual(rows)
  })

  it.each([
    ['in one chunk', (text: string) => [text]],
    ['one character at a time', (text: string) => [...text]],
  ])('a row that is too long, %s', async (_, cut) => {
    const long = '5: is longer than 5 characters'.slice(2)
    expect(brief(await read(cut('abcd\nabcdef\nghij\n'), { maxRowLength: 5 }))).toEqual([
      [1, 'abcd'],
      `2:${long}`,
      [3, 'ghij'],
    ])
    expect(brief(await read(cut('a\n"bcd\nefgh\nijk\n'), { maxRowLength: 5 }))).toEqual([
      [1, 'a'],
      `2:${long}`,
      [3, 'efgh'],
      [4, 'ijk'],
    ])
  })
})

describe('csvRows and chunks', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', 'é', '😀', ' ', ',', '"', '\r', '\n', '\uFEFF'), maxLength: 5 })
  const table = fc
    .integer({ min: 1, max: 4 })
    .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width })))
  const quote = (value: string) => `"${value.replaceAll('"', '""')}"`
  const needsQuotes = (value: string) => value === '' || /[",\r\n\uFEFF]/.test(value)
  const write = (rows: string[][], lineEnd: string, quoteAll: boolean) =>
    rows
      .map((row) => row.map((value) => (quoteAll || needsQuotes(value) ? quote(value) : value)).join(','))
      .map((row) => row + lineEnd)
      .join('')

  it('reads what was written', async () => {
    await fc.assert(
      fc.asyncProperty(table, fc.constantFrom('\n', '\r\n'), fc.boolean(), async (rows, lineEnd, quoteAll) => {
        const found = await read([write(rows, lineEnd, quoteAll)])
        expect(found.map((row) => 'cells' in row && row.cells)).toEqual(rows)
      }),
    )
  })

  it('does not mind where a text is cut', async () => {
    const text = '\uFEFFa,"b ""x""\r\n y"\r\n\r\nc,d"\n"e"f,g\nh\ri,j\n"k",\n"l\nm,n\n'
    const whole = await read([text])
    expect(whole).toHaveLength(7)
    for (let i = 0; i <= text.length; i++) {
      for (let j = i; j <= text.length; j++) {
        expect(await read([text.slice(0, i), text.slice(i, j), text.slice(j)])).toEqual(whole)
      }
    }
    expect(await read([...text])).toEqual(whole)
  })

  it('does not mind where any text is cut', async () => {
    const anyText = fc.string({ unit: fc.constantFrom('a', ',', '"', '\r', '\n', '\uFEFF'), maxLength: 30 })
    await fc.assert(
      fc.asyncProperty(anyText, fc.integer({ min: 1, max: 40 }), async (text, maxRowLength) => {
        expect(await read([...text], { maxRowLength })).toEqual(await read([text], { maxRowLength }))
      }),
      { numRuns: 2_000 },
    )
  })
})
