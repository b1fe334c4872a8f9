import fc from 'fast-check'
import { expect, it } from 'vitest'
import { formatMessage, type WebhookFormat } from './format-message.ts'

const url = 'https://events.example.test/hook?routing_key=k'

/** Text with the syntax of the receivers. */
const pieces = [
  '<!channel>',
  '<@U1>',
  '@everyone',
  '[a](https://x.test)',
  'https://x.test',
  '**b**',
  '`',
  '\\',
  '~~',
  '&lt;',
]
const names = fc
  .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'grapheme', maxLength: 200 })), { maxLength: 12 })
  .map((parts) => parts.join(' '))

function bodyOf(format: WebhookFormat, title: string, comment?: string, followers: readonly string[] = []) {
  return JSON.parse(formatMessage(format, url, { title, comment, followers, kind: 'flag', resources: [], at: 0 }).body)
}

it('a message of Discord has at most 2,000 characters, and each punctuation mark in it is escaped', () => {
  fc.assert(
    fc.property(names, names, fc.array(names, { size: 'max', maxLength: 20 }), (title, comment, followers) => {
      const { content, allowed_mentions: mentions } = bodyOf('discord', title, comment, followers)
      expect(content.length).toBeLessThanOrEqual(2_000)
      expect(mentions).toEqual({ parse: [] })
      expect(content.split('\n')).toHaveLength(followers.length > 0 ? 3 : 2)
      expect(content.replace(/\\[^0-9A-Za-z\s]/g, '')).not.toMatch(/[!-/:-@[-`{-~]/)
    }),
  )
})

it('a message of Slack has no angle brackets, and its text can be restored', () => {
  fc.assert(
    fc.property(names, (title) => {
      const { text } = bodyOf('slack', title)
      expect(text).not.toMatch(/[<>]|&(?!amp;|lt;|gt;)/)
      const restored = text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
      expect(restored).toBe(bodyOf('pagerduty', title).payload.summary)
    }),
  )
})

it('a message has one line for its title, without control characters, at most 300 characters long', () => {
  fc.assert(
    fc.property(names, fc.constantFrom('\n# ', '\r', '\u202e', '\u0000', '\t'), (title, mark) => {
      const { summary } = bodyOf('pagerduty', title + mark + title).payload
      expect(summary).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u)
      expect([...summary].length).toBeLessThanOrEqual(300)
    }),
  )
})

it('a message names as many followers as fit in 200 characters, in their order, and counts the others', () => {
  const name = fc.tuple(fc.constantFrom(...'abc'), fc.integer({ min: 1, max: 40 })).map(([a, n]) => a.repeat(n))
  fc.assert(
    fc.property(fc.array(name, { minLength: 1, maxLength: 100, size: 'max' }), (followers) => {
      const { followers: text } = bodyOf('pagerduty', 'title', undefined, followers).payload.custom_details
      expect(text.length).toBeLessThanOrEqual(200)
      const [, list = '', rest = '0'] = /^(.*?)(?: and (\d+) more)?$/.exec(text) ?? []
      const listedNames = list.split(', ')
      expect(followers.slice(0, listedNames.length)).toEqual(listedNames)
      expect(listedNames.length + Number(rest)).toBe(followers.length)
    }),
  )
})
