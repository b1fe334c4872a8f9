import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pageLinks } from './link.ts'

const url = '/api/v2/flags/web?tag=a'

/** Returns the items of a page, as indexes of a list of `total` items. */
function itemsAt(href: string, total: number): number[] {
  const query = new URL(href, 'http://localhost').searchParams
  expect(query.get('tag')).toBe('a')
  const offset = Number(query.get('offset'))
  const length = Math.max(0, Math.min(total, offset + Number(query.get('limit'))) - offset)
  return Array.from({ length }, (_, index) => offset + index)
}

const pages = fc.record({
  limit: fc.integer({ min: 1, max: 20 }),
  offset: fc.oneof(fc.nat(60), fc.constant(1_000_000)),
  total: fc.nat(50),
})

describe('the links of a page', () => {
  it('lead to pages with items', () => {
    fc.assert(
      fc.property(pages, ({ limit, offset, total }) => {
        const { self: _, ...links } = pageLinks(url, { limit, offset }, total)
        for (const { href } of Object.values(links)) expect(itemsAt(href, total)).not.toEqual([])
      }),
    )
  })

  it('lead back to the items just before the page, and forward to those just after it', () => {
    fc.assert(
      fc.property(pages, ({ limit, offset, total }) => {
        const { prev, next, last } = pageLinks(url, { limit, offset }, total)
        const before = Math.min(offset, total)
        expect(prev ? itemsAt(prev.href, total).includes(before - 1) : before === 0).toBe(true)
        expect(next ? itemsAt(next.href, total)[0] === offset + limit : offset + limit >= total).toBe(true)
        expect(last ? itemsAt(last.href, total).at(-1) : undefined).toBe(next ? total - 1 : undefined)
      }),
    )
  })
})
