import { expect, it } from 'vitest'
import { descriptionMarkdown } from './schema-markdown.ts'

it('the description of a property states that the property is only stored', () => {
  const schema = { type: 'boolean', description: 'Asks first.', default: false }
  expect(descriptionMarkdown(schema)).toBe('Asks first. Default `false`.')
  expect(descriptionMarkdown({ ...schema, 'x-stored-only': true })).toBe(
    '**Only stored**: has no effect. Asks first. Default `false`.',
  )
})
