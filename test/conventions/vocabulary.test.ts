import { describe, expect, it } from 'vitest'
import type { ReadableText } from '../readable-source.ts'
import { readableTexts } from './readable-texts.ts'
import { exceptions, type RetiredWord, retiredWords } from './retired-words.ts'

const texts = readableTexts()

const advice = 'edit each of these lines. docs/glossary.md explains the words to use'

const isExcepted = ({ file, text }: ReadableText) =>
  exceptions.some((exception) => file.startsWith(exception.file) && exception.text.test(text))

function occurrencesOf({ pattern, use, in: kinds, declares }: RetiredWord): string[] {
  return texts
    .filter(({ kind, text }) => (kinds === undefined || kinds.includes(kind)) && pattern.test(text))
    .filter((text) => declares === undefined || text.declares === declares)
    .filter((text) => !isExcepted(text))
    .map(({ file, line, kind, text }) => `${file}:${line}: ${kind} "${excerpt(text, pattern)}": use ${use}`)
}

/** The part of a text around a match, short enough for one line. */
function excerpt(text: string, pattern: RegExp): string {
  const at = text.search(pattern)
  return text
    .slice(Math.max(0, at - 30), at + 50)
    .replace(/\s+/g, ' ')
    .trim()
}

describe('vocabulary', () => {
  it('reads names, comments, messages, titles and Markdown', () => {
    const kinds = new Set(texts.map(({ kind }) => kind))
    const repair = 'edit test/conventions/readable-texts.ts: it no longer finds the texts of the repository'
    expect([...kinds].sort(), repair).toEqual(['comment', 'markdown', 'message', 'name', 'title'])
    expect(texts.length, repair).toBeGreaterThan(10_000)
  })

  it.each(retiredWords)('does not contain $pattern', (word) => {
    expect(occurrencesOf(word), advice).toEqual([])
  })

  it('has no exception that is not needed', () => {
    const unused = exceptions.filter(
      (exception) => !texts.some(({ file, text }) => file.startsWith(exception.file) && exception.text.test(text)),
    )
    expect(unused, 'remove these exceptions from test/conventions/retired-words.ts').toEqual([])
  })
})
