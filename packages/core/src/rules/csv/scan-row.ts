/** A row that was read up to `end`, behind its line break; or one whose fault is at `end`. */
export type Scan =
  | { readonly cells: readonly string[]; readonly end: number; readonly fault?: undefined }
  | { readonly fault: string; readonly end: number }

/** A cell that was read up to `end`, which is behind its closing quote, if it has any. */
interface Cell {
  readonly value: string
  readonly end: number
}

/**
 * Reads one row (RFC 4180).
 *
 * @param at where it begins.
 * @param isLast whether nothing more will come, so that the end of the text also ends a row.
 * @returns undefined when the row does not end in the text; if `isLast`, only because a quote is never closed.
 */
export function scanRow(text: string, at: number, isLast: boolean): Scan | undefined {
  const cells: string[] = []
  for (let start = at; ; start++) {
    const isQuoted = text[start] === '"'
    const cell = isQuoted ? quotedCell(text, start) : plainCell(text, start)
    if (!cell) return undefined
    cells.push(cell.value)
    start = cell.end
    if (text[start] === ',') continue
    if (text[start] === '\n') return { cells, end: start + 1 }
    if (text.startsWith('\r\n', start)) return { cells, end: start + 2 }
    // Perhaps not the end of the cell either: a quote at the end of what has come in may be the first of two.
    if (start === text.length) return isLast ? { cells, end: start } : undefined
    if (text[start] === '\r' && start + 1 === text.length && !isLast) return undefined
    return { fault: isQuoted ? 'has text after a closing quote' : faultOf(text[start]!), end: start }
  }
}

function faultOf(character: string): string {
  return character === '"' ? 'has a quote inside of a cell without quotes' : 'has a carriage return outside of quotes'
}

const plain = /[^",\r\n]*/y

function plainCell(text: string, start: number): Cell {
  plain.lastIndex = start
  const value = plain.exec(text)![0]
  return { value, end: start + value.length }
}

function quotedCell(text: string, start: number): Cell | undefined {
  let value = ''
  for (let from = start + 1; ; ) {
    const quote = text.indexOf('"', from)
    if (quote < 0) return undefined
    if (text[quote + 1] !== '"') return { value: value + text.slice(from, quote), end: quote + 1 }
    value += text.slice(from, quote + 1)
    from = quote + 2
  }
}
